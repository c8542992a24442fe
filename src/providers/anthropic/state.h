/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of Anthropic's rules during one request: what came with the messages, counts that checks
 * keep for their fixes, and what the fixes of one round must remember. The engine holds it as
 * `judge->own`.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STATE_H
#define TK_PROVIDERS_ANTHROPIC_STATE_H

#include "engine/plan.h"
#include "providers/anthropic/betas/values.h"
#include "providers/anthropic/provider_pairs/groups.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/seals/seals.h"
#include "providers/anthropic/tools/offered.h"
#include "providers/common/claude.h"
#include "providers/policy.h"
#include "value/hash.h"

struct tk_leading_results;
struct tk_request_change;
struct tk_restored;
struct tk_keep;

/* How much thinking a turn has: in all, and before the part `upto`. */
struct tk_thinking_count {
    uint32_t turn, upto, before, all;
};

/* Valid during one round of fixes; begin_round() clears it. */
struct tk_anthropic_round {
    uint32_t first_new; /* text/move_text.c: the first message that the round added */
    struct {
        uint32_t message, upto, call; /* thinking/fix.c: `message` was searched up to the part
                                         `upto` for its first client call */
    } seen;
    struct tk_map
        uses; /* provider_pairs/fix.c: number of calls and results by id; empty: not counted yet */
    uint32_t other_turn, last_other; /* client_pairs/fix.c */
    uint32_t placed_turn, last_place;
    struct tk_thinking_count thinking; /* betas/fix.c */
    uint32_t opening; /* betas/fix.c: the last compaction block that opens its turn */
    uint32_t merged;  /* target/fix.c: the last message that another one was merged into */
    uint32_t unloaded_turn, unloaded_after; /* tool_results/fix_results.c */
    struct tk_map renamed; /* ids/fix.c: place of the new id in new_ids, by the old one */
    struct tk_str *new_ids;
    uint32_t new_id_count, new_id_capacity;
    /* structure/fix_roles.c: the last system message that a rule asked about, the message before
     * its run, and the value of tk_transcript.arrivals then. */
    struct {
        uint32_t message, before, arrivals;
    } asked;
    /*
     * structure/fix_roles.c: a stretch of user and system messages, from the first turn that a rule
     * asked about: the user's last message in it, its turn, and the message after which the next
     * one goes.
     */
    struct {
        uint32_t first_turn, user, turn, after;
    } slide;
    struct tk_separator_walk separator_walk; /* text/fix.c: parts before the last blank text */
    struct tk_keep *keep; /* provider_pairs/keep.c: by group; NULL: no id is repeated */
    uint32_t keep_count;
};

struct tk_anthropic {
    struct tk_pairing pairing;         /* calls and results of the provider's tools */
    struct tk_client_pairs clients;    /* calls and results of the client */
    struct tk_seals seals;             /* sent with the request */
    struct tk_seals received;          /* those seals with the groups and verdicts of the input */
    struct tk_known_betas betas;       /* the header's values, if they are known */
    struct tk_request_change *changes; /* of the rest of the request; NULL: none */
    struct tk_model model;             /* the model that the request is for, if it is known */
    struct tk_map serializable;        /* the policy's serializable_tools; filled on first use */
    struct tk_cache cache;             /* cache markers of the request */
    struct tk_carrier carrier;         /* cache/markers.c */
    struct tk_val
        *gone; /* by part of the input: a result that lost its structure; NULL: no result did */
    struct tk_limited limited;    /* what the messages hold that has a limit */
    struct tk_offered offered;    /* tools of the request */
    bool has_references;          /* a result of the client refers to tools */
    uint32_t newest_compaction;   /* last compaction block that the provider signed, or TK_NONE */
    struct tk_restored *restored; /* messages before a seal restored them, newest first */
    struct tk_leading_results *leading; /* by message: client_pairs/insert_point.c */
    uint32_t leading_count;
    uint32_t opening;   /* fit.c: the message that has to begin the open tool loop, or TK_NONE */
    bool protect_again; /* thinking was edited since the protected turn was found */
    struct tk_anthropic_round round;
};

static inline struct tk_anthropic *tk_anthropic(const struct tk_judge *j)
{
    return j->own;
}

/* Returns true if the rules of OPERATIONS.md part C apply to thinking; on other routes only O2 and
 * O3 do. */
static inline bool tk_judges_thinking(const struct tk_judge *j)
{
    return tk_own_policy(j)->route == TK_ROUTE_NATIVE;
}

#endif
