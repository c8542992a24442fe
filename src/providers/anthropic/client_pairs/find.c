/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Codes of client pairs: a call that the client runs, and the result that it sends back. The engine
 * pairs and judges them in engine/pairs/client.c, where each member below is the fault of that name.
 */
#include "providers/anthropic/provider.h"

const struct tk_client_rules tk_anthropic_client_pairs = {
    .unanswered = TK_CODE_TOOL_USE_WITHOUT_RESULT,
    .not_first = TK_CODE_TOOL_RESULT_NOT_FIRST,
    .not_adjacent = TK_CODE_TOOL_RESULT_NOT_ADJACENT,
    .without_call = TK_CODE_TOOL_RESULT_WITHOUT_USE,
    .duplicate = TK_CODE_TOOL_RESULT_DUPLICATE,
    .id_duplicate = TK_CODE_TOOL_USE_ID_DUPLICATE,
    .call_elsewhere = TK_CODE_TOOL_USE_IN_USER,
    .result_inside = TK_CODE_TOOL_RESULT_IN_ASSISTANT,
    .for_server_tool = TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL,
};
