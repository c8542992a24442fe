/* SPDX-License-Identifier: Apache-2.0 */
/* The checks, one rule each, in the order of the catalogue: repair goes through them in this order
 * (engine/plan.h). The includes name the file of each function. */
#include "engine/surrogates/surrogates.h"
#include "providers/openai/responses/provider.h"
#include "providers/openai/responses/rules.h"

#define WHOLE_REQUEST (TK_HAS_HISTORY | TK_HAS_REQUEST)

const struct tk_check tk_responses_checks[] = {
    {"surrogates", tk_judge_surrogates, 0},
    {"input_empty", tk_judge_empty_input, WHOLE_REQUEST},
    {"server_state", tk_judge_server_state, WHOLE_REQUEST},
    {"tool_limits", tk_judge_tool_limits, WHOLE_REQUEST},
    {"item_types", tk_judge_item_types, 0},
    {"roles", tk_judge_item_roles, 0},
    {"developer", tk_judge_developer, 0},
    {"member_types", tk_judge_member_types, 0},
    {"missing", tk_judge_missing, 0},
    {"members", tk_judge_item_members, 0},
    {"part_types", tk_judge_part_types, 0},
    {"argument_types", tk_judge_argument_types, 0},
    {"arguments", tk_judge_arguments, 0},
    {"call_names", tk_judge_call_names, 0},
    {"resent", tk_judge_resent, WHOLE_REQUEST},
    {"not_persisted", tk_judge_not_persisted, WHOLE_REQUEST},
    {"ciphertext", tk_judge_foreign_ciphertext, 0},
    {"repeated_item_ids", tk_judge_repeated_item_ids, 0},
    {"prefixes", tk_judge_prefixes, 0},
    {"repeated_call_ids", tk_judge_repeated_call_ids, 0},
    {"second_outputs", tk_judge_second_outputs, TK_HAS_HISTORY},
    {"lone_outputs", tk_judge_lone_outputs, TK_HAS_HISTORY},
    {"stored_calls", tk_judge_stored_calls, TK_HAS_HISTORY},
    {"open_calls", tk_judge_open_calls, TK_HAS_HISTORY},
    {"long_ids", tk_judge_long_item_ids, 0},
    {"interleaved", tk_judge_interleaved, TK_HAS_HISTORY},
    {"lone_reasoning", tk_judge_lone_reasoning, 0},
    {"approvals", tk_judge_approvals, TK_HAS_HISTORY},
    {"unfinished", tk_judge_unfinished, 0},
    {"images", tk_judge_images, 0},
    {NULL, NULL, 0},
};
