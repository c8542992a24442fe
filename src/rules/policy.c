/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/policy.h"

const struct tk_policy tk_policy_conservative = {
    .orphan_call = TK_FIX_DROP,
    .orphan_result = TK_FIX_TEXTIFY,
    .result_before_call = TK_FIX_TEXTIFY,
    .duplicate_id = TK_FIX_TEXTIFY,
    .invalid_pair = TK_FIX_TEXTIFY,
    .unanswered_call = TK_FIX_INSERT_RESULT,
    .unmatched_result = TK_FIX_TEXTIFY,
    .blank_text = TK_FIX_DROP,
    .thinking = TK_FIX_DEMOTE,
    .unsigned_thinking = TK_FIX_DEMOTE,
    .dead_thinking = TK_FIX_DEMOTE,
    .merge_adjacent = TK_MERGE_NEVER,
    .serializable_tools = {NULL, TK_NO_NODE},
};

const struct tk_policy tk_policy_preserve = {
    .preserve = true,
    .orphan_call = TK_FIX_DROP,
    .orphan_result = TK_FIX_TEXTIFY,
    .result_before_call = TK_FIX_MOVE,
    .duplicate_id = TK_FIX_KEEP_FIRST,
    .invalid_pair = TK_FIX_REPAIR,
    .unanswered_call = TK_FIX_INSERT_RESULT,
    .unmatched_result = TK_FIX_TEXTIFY,
    .blank_text = TK_FIX_DROP,
    .thinking = TK_FIX_RESTORE,
    .unsigned_thinking = TK_FIX_DEMOTE,
    .dead_thinking = TK_FIX_DEMOTE,
    .merge_adjacent = TK_MERGE_NEVER,
    .mark_text = true,
    .serializable_tools = {NULL, TK_NO_NODE},
};
