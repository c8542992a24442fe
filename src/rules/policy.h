/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy: what repair may do about each kind of fault (RULES.md section 5). Two named policies,
 * conservative (what the first hand-written patches did) and preserve (keeps the most), and
 * keys that override them.
 */
#ifndef TK_RULES_POLICY_H
#define TK_RULES_POLICY_H

#include "value/doc.h"

enum tk_fix {
    TK_FIX_REPORT, /* find it, leave it */
    TK_FIX_DROP,
    TK_FIX_TEXTIFY,
    TK_FIX_MOVE,
    TK_FIX_KEEP_FIRST,
    TK_FIX_REPAIR,
    TK_FIX_ERROR_RESULT,
    TK_FIX_INSERT_RESULT,
    TK_FIX_DEMOTE,
    TK_FIX_RESTORE,
};

enum tk_merge {
    TK_MERGE_NEVER,
    TK_MERGE_TOUCHED, /* where a message between two of one role was dropped */
    TK_MERGE_ALL,     /* every such pair, once the repair made an edit */
};

/* Whose thinking the receiver takes (OPERATIONS.md C.7 O2). */
enum tk_route {
    TK_ROUTE_NATIVE,
    TK_ROUTE_THIRD_PARTY, /* none */
    TK_ROUTE_DEEPSEEK,    /* its own, which is unsigned */
    TK_ROUTE_KIMI,        /* all of it */
};

/* What is done where a conversation is no longer the one that thinking is bound to (C.6). */
enum tk_mismatch {
    TK_MISMATCH_REPORT,
    TK_MISMATCH_STRIP,
    TK_MISMATCH_DROP_BLOCK, /* the provider is asked to drop what it can't verify */
    TK_MISMATCH_ERROR,
    TK_MISMATCH_OFF,
};

struct tk_policy {
    bool preserve; /* the base, for fixes that have no key */
    enum tk_fix orphan_call;
    enum tk_fix orphan_result;
    enum tk_fix result_before_call;
    enum tk_fix duplicate_id;
    enum tk_fix invalid_pair;
    enum tk_fix unanswered_call;
    enum tk_fix unmatched_result;
    enum tk_fix blank_text;
    enum tk_fix thinking;          /* of a turn that isn't as the provider sent it */
    enum tk_fix unsigned_thinking; /* demote or drop */
    enum tk_fix dead_thinking;     /* under restore: of what can't be restored */
    enum tk_merge merge_adjacent;
    enum tk_route route;
    enum tk_mismatch prefix_mismatch;
    bool prune;               /* thinking of older turns goes */
    bool compatible;          /* not the policy's: the endpoint issues unsigned thinking itself */
    bool bedrock;             /* nor this: the request's members have its names */
    bool rebuilt;             /* not the policy's: turns were put together from a store */
    bool grouped_only;        /* distrust only rebuilt turns that begin with two thinkings */
    bool base64_signatures;   /* a signature that isn't padded base64 is an error */
    bool placeholder;         /* a message that lost its thinking becomes "(empty)" */
    bool mark_text;           /* text in a result's place begins with "[NAME result]" */
    bool unknown_tools_error; /* a tool that nobody knows is an error */
    struct tk_val serializable_tools; /* list of names; not there (or null): all */
};

/* Whether the rules of OPERATIONS.md part C look at thinking; on other routes only O2 and O3 do. */
static inline bool tk_judges_thinking(const struct tk_policy *policy)
{
    return policy->route == TK_ROUTE_NATIVE;
}

/* The named policies. */
extern const struct tk_policy tk_policy_conservative, tk_policy_preserve;

/* Returns the named policy that a policy started from. */
static inline const struct tk_policy *tk_policy_base(const struct tk_policy *policy)
{
    return policy->preserve ? &tk_policy_preserve : &tk_policy_conservative;
}

#endif
