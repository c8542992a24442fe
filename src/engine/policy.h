/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Policy: what repair may do about each kind of fault (RULES.md section 5). There are two named
 * policies, `conservative`, which makes the edits of the first hand-written patches, and
 * `preserve`, which keeps the most content, and keys that override them.
 */
#ifndef TK_ENGINE_POLICY_H
#define TK_ENGINE_POLICY_H

#include "value/doc.h"

/* X(constant, name in the protocol). `report`: report the fault and don't edit. */
#define TK_FIXES(X)                                                                                \
    X(REPORT, "report")                                                                            \
    X(DROP, "drop")                                                                                \
    X(TEXTIFY, "textify")                                                                          \
    X(MOVE, "move")                                                                                \
    X(KEEP_FIRST, "keep_first")                                                                    \
    X(REPAIR, "repair")                                                                            \
    X(ERROR_RESULT, "error_result")                                                                \
    X(INSERT_RESULT, "insert_result")                                                              \
    X(CONTINUE, "continue")                                                                        \
    X(DEMOTE, "demote")                                                                            \
    X(RESTORE, "restore")

enum tk_fix {
#define TK_FIX_CONSTANT(id, name) TK_FIX_##id,
    TK_FIXES(TK_FIX_CONSTANT)
#undef TK_FIX_CONSTANT
};

/* Names of the fixes in the protocol. */
extern const char *const tk_fix_names[];

/*
 * The keys whose values are fixes, and those of the named policies: X(key, conservative, preserve).
 *
 *     prefill            of the last message: continue puts a user message after it
 *     thinking           of a turn that differs from what the provider sent
 *     unsigned_thinking  demote or drop
 *     dead_thinking      with `restore`: of blocks that can't be restored
 *     extra_members      of messages, unless they are known leftovers: report or drop
 */
#define TK_POLICY_FIXES(X)                                                                         \
    X(orphan_call, DROP, DROP)                                                                     \
    X(orphan_result, TEXTIFY, TEXTIFY)                                                             \
    X(result_before_call, TEXTIFY, MOVE)                                                           \
    X(duplicate_id, TEXTIFY, KEEP_FIRST)                                                           \
    X(invalid_pair, TEXTIFY, REPAIR)                                                               \
    X(unanswered_call, INSERT_RESULT, INSERT_RESULT)                                               \
    X(unmatched_result, TEXTIFY, TEXTIFY)                                                          \
    X(blank_text, DROP, DROP)                                                                      \
    X(prefill, CONTINUE, CONTINUE)                                                                 \
    X(thinking, DEMOTE, RESTORE)                                                                   \
    X(unsigned_thinking, DEMOTE, DEMOTE)                                                           \
    X(dead_thinking, DEMOTE, DEMOTE)                                                               \
    X(extra_members, REPORT, REPORT)

enum tk_merge {
    TK_MERGE_NEVER,
    TK_MERGE_TOUCHED, /* pairs of one role between which a message was dropped */
    TK_MERGE_ALL,     /* every pair of one role, if the repair made an edit */
};

struct tk_policy {
    bool preserve; /* base policy: for fixes that have no key */
#define TK_POLICY_MEMBER(key, conservative, preserve) enum tk_fix key;
    TK_POLICY_FIXES(TK_POLICY_MEMBER)
#undef TK_POLICY_MEMBER
    enum tk_merge merge_adjacent;
    bool mark_text; /* text that replaces a result begins with "[NAME result]" */
    const void *
        own; /* keys that only rules of a provider read: providers/policy.h; NULL: their defaults */
};

/* The named policies. */
extern const struct tk_policy tk_policy_conservative, tk_policy_preserve;

/* Returns the named policy that the policy is based on. */
static inline const struct tk_policy *tk_policy_base(const struct tk_policy *policy)
{
    return policy->preserve ? &tk_policy_preserve : &tk_policy_conservative;
}

#endif
