/* SPDX-License-Identifier: Apache-2.0 */
/* Provider-executed pairs: the engine pairs by id (rules/pairs/executed.h); these are the codes and
 * the questions that only this provider can answer. */
#include "providers/anthropic/provider.h"
#include "providers/anthropic/provider_pairs/form.h"

const struct tk_executed_rules tk_anthropic_pairs = {
    .outside = TK_CODE_PROVIDER_EXECUTED_BLOCK_OUTSIDE_ASSISTANT,
    .duplicate = TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID,
    .without_result = TK_CODE_PROVIDER_EXECUTED_CALL_WITHOUT_RESULT,
    .without_call = TK_CODE_PROVIDER_EXECUTED_RESULT_WITHOUT_CALL,
    .before_call = TK_CODE_PROVIDER_EXECUTED_RESULT_BEFORE_CALL,
    .fault = tk_pair_fault,
    .sound = tk_judge_unknown,
    .turn = tk_judge_callers,
};
