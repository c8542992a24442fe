/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Codes of provider-executed pairs: a call that the provider runs itself, and its result. The
 * engine pairs and judges them by id in engine/pairs/executed.c, where each member below is the
 * fault of that name. The functions answer what only this provider knows: form.c, callers.c.
 */
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
