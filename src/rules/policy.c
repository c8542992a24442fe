/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/policy.h"

const struct tk_policy tk_policy_conservative = {
    .orphan_call = TK_FIX_DROP,
    .orphan_result = TK_FIX_TEXTIFY,
    .result_before_call = TK_FIX_TEXTIFY,
    .duplicate_id = TK_FIX_TEXTIFY,
    .invalid_pair = TK_FIX_TEXTIFY,
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
    .merge_adjacent = TK_MERGE_NEVER,
    .mark_text = true,
    .serializable_tools = {NULL, TK_NO_NODE},
};
