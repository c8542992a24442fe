/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/params/policy.h"

static const enum tk_fix fixes[TK_WORD_COUNT] = {
#define FIX_OF_WORD(id, name) [TK_WORD_##id] = TK_FIX_##id,
    TK_FIXES(FIX_OF_WORD)
#undef FIX_OF_WORD
};

static const enum tk_merge merges[TK_WORD_COUNT] = {
    [TK_WORD_NEVER] = TK_MERGE_NEVER,
    [TK_WORD_TOUCHED] = TK_MERGE_TOUCHED,
    [TK_WORD_ALL] = TK_MERGE_ALL,
};

static const enum tk_route routes[TK_WORD_COUNT] = {
    [TK_WORD_NATIVE] = TK_ROUTE_NATIVE,
    [TK_WORD_THIRD_PARTY] = TK_ROUTE_THIRD_PARTY,
    [TK_WORD_DEEPSEEK] = TK_ROUTE_DEEPSEEK,
    [TK_WORD_KIMI] = TK_ROUTE_KIMI,
};

static const enum tk_mismatch mismatches[TK_WORD_COUNT] = {
    [TK_WORD_REPORT] = TK_MISMATCH_REPORT,
    [TK_WORD_STRIP] = TK_MISMATCH_STRIP,
    [TK_WORD_DROP_BLOCK] = TK_MISMATCH_DROP_BLOCK,
    [TK_WORD_ERROR] = TK_MISMATCH_ERROR,
    [TK_WORD_OFF] = TK_MISMATCH_OFF,
};

static struct tk_provider_policy own_policy(const struct tk_params *p)
{
    return (struct tk_provider_policy){
        .prune = tk_param_word(p, TK_P_POLICY_PRIOR_THINKING) == TK_WORD_PRUNE,
        .route = routes[tk_param_word(p, TK_P_POLICY_ROUTE)],
        .prefix_mismatch = mismatches[tk_param_word(p, TK_P_POLICY_PREFIX_MISMATCH)],
        .base64_signatures = tk_param_word(p, TK_P_POLICY_SIGNATURE_FORM) == TK_WORD_BASE64,
        .grouped_only = tk_param_word(p, TK_P_POLICY_REBUILT_RULE) == TK_WORD_GROUPED,
        .placeholder = tk_param_word(p, TK_P_POLICY_EMPTIED_TURN) == TK_WORD_PLACEHOLDER,
        .rebuilt = tk_param_word(p, TK_P_PROVENANCE) == TK_WORD_REBUILT,
        .strip_item_ids = tk_param_word(p, TK_P_POLICY_ITEM_IDS) == TK_WORD_STRIP,
        .unknown_tools_error = tk_param_word(p, TK_P_POLICY_UNKNOWN_TOOLS) == TK_WORD_ERROR,
        .serializable_tools = tk_param(p, TK_P_POLICY_SERIALIZABLE_TOOLS),
    };
}

void tk_params_policy(const struct tk_params *p, struct tk_params_policy *ret)
{
    ret->own = own_policy(p);
    ret->policy = (struct tk_policy){
        .own = &ret->own,
        .preserve = tk_param_word(p, TK_P_POLICY_BASE) == TK_WORD_PRESERVE,
        .orphan_call = fixes[tk_param_word(p, TK_P_POLICY_ORPHAN_CALL)],
        .orphan_result = fixes[tk_param_word(p, TK_P_POLICY_ORPHAN_RESULT)],
        .result_before_call = fixes[tk_param_word(p, TK_P_POLICY_RESULT_BEFORE_CALL)],
        .duplicate_id = fixes[tk_param_word(p, TK_P_POLICY_DUPLICATE_ID)],
        .invalid_pair = fixes[tk_param_word(p, TK_P_POLICY_INVALID_PAIR)],
        .unanswered_call = fixes[tk_param_word(p, TK_P_POLICY_UNANSWERED_CALL)],
        .unmatched_result = fixes[tk_param_word(p, TK_P_POLICY_UNMATCHED_RESULT)],
        .blank_text = fixes[tk_param_word(p, TK_P_POLICY_BLANK_TEXT)],
        .prefill = fixes[tk_param_word(p, TK_P_POLICY_PREFILL)],
        .thinking = fixes[tk_param_word(p, TK_P_POLICY_THINKING)],
        .unsigned_thinking = fixes[tk_param_word(p, TK_P_POLICY_UNSIGNED_THINKING)],
        .dead_thinking = fixes[tk_param_word(p, TK_P_POLICY_DEAD_THINKING)],
        .extra_members = fixes[tk_param_word(p, TK_P_POLICY_EXTRA_MEMBERS)],
        .merge_adjacent = merges[tk_param_word(p, TK_P_POLICY_MERGE_ADJACENT)],
        .mark_text = tk_param_bool(p, TK_P_POLICY_MARK_TEXT),
    };
}
