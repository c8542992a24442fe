/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the policy that only rules of a provider read. The engine passes them on (`own` of struct tk_policy). */
#ifndef TK_PROVIDERS_POLICY_H
#define TK_PROVIDERS_POLICY_H

#include "engine/judge.h"

/* The route to the model decides whose thinking it accepts (OPERATIONS.md C.7 O2). */
enum tk_route {
    TK_ROUTE_NATIVE,
    TK_ROUTE_THIRD_PARTY, /* accepts no thinking */
    TK_ROUTE_DEEPSEEK,    /* accepts its own, which is unsigned */
    TK_ROUTE_KIMI,        /* accepts all thinking */
};

/* Treatment of thinking if the conversation before it isn't the one it was made for (C.6). */
enum tk_mismatch {
    TK_MISMATCH_REPORT,
    TK_MISMATCH_STRIP,
    TK_MISMATCH_DROP_BLOCK, /* ask the provider to drop blocks that it can't verify */
    TK_MISMATCH_ERROR,
    TK_MISMATCH_OFF,
};

struct tk_provider_policy {
    enum tk_route route;
    enum tk_mismatch prefix_mismatch;
    bool prune;             /* drop the thinking of older turns */
    bool rebuilt;           /* fact about the client: it rebuilds turns from a store */
    bool grouped_only;      /* distrust rebuilt turns only if they begin with two thinking blocks */
    bool base64_signatures; /* a signature that isn't padded base64 is an error */
    bool placeholder;       /* a message that lost all its thinking gets the text "(empty)" */
    bool strip_item_ids;    /* delete the ids of items that the server could look up */
    bool unknown_tools_error;         /* an unknown tool is an error */
    struct tk_val serializable_tools; /* list of names; absent or null: all tools */
};

extern const struct tk_provider_policy tk_provider_policy_default;

/* Returns the keys of the judge's policy. */
static inline const struct tk_provider_policy *tk_own_policy(const struct tk_judge *j)
{
    return j->policy->own ? j->policy->own : &tk_provider_policy_default;
}

#endif
