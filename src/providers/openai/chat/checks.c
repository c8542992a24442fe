/* SPDX-License-Identifier: Apache-2.0 */
/* The checks: one for each rule, since a rule is fixed before the next one is judged (CATALOGUE 4.2). */
#include "engine/surrogates/surrogates.h"
#include "providers/openai/chat/provider.h"
#include "providers/openai/chat/rules.h"

/* clang-format off */
const struct tk_check tk_chat_checks[] = {
    {"surrogates", tk_judge_surrogates, 0},
    {"no messages", tk_chat_find_no_messages, TK_HAS_HISTORY},
    {"tool limits", tk_chat_find_tool_limits, TK_HAS_REQUEST},
    {"tool name patterns", tk_chat_find_tool_name_pattern, TK_HAS_REQUEST},
    {"roles", tk_chat_find_role_invalid, 0},
    {"unsupported roles", tk_chat_find_role_unsupported, 0},
    {"developer", tk_chat_find_developer, 0},
    {"no content", tk_chat_find_content_null, 0},
    {"content types", tk_chat_find_content_type, 0},
    {"holes", tk_chat_find_holes, 0},
    {"empty calls", tk_chat_find_empty_calls, 0},
    {"many calls", tk_chat_find_many_calls, 0},
    {"part types", tk_chat_find_part_type, 0},
    {"tool names", tk_chat_find_tool_name, 0},
    {"message names", tk_chat_find_message_name, 0},
    {"unknown members", tk_chat_find_unknown_members, 0},
    {"argument types", tk_chat_find_arguments_type, 0},
    {"arguments", tk_chat_find_arguments_json, 0},
    {"missing ids", tk_chat_find_id_missing, 0},
    {"duplicate ids", tk_chat_find_id_duplicate, 0},
    {"strays", tk_chat_find_strays, TK_HAS_HISTORY},
    {"unanswered", tk_chat_find_unanswered, TK_HAS_HISTORY},
    {"long ids", tk_chat_find_long_ids, 0},
    {"id patterns", tk_chat_find_id_pattern, 0},
    {"lists", tk_chat_find_list_content, 0},
    {"empty messages", tk_chat_find_empty_message, TK_HAS_HISTORY},
    {"reasoning", tk_chat_find_no_reasoning, 0},
    {"late system", tk_chat_find_late_system, TK_HAS_HISTORY},
    {"same roles", tk_chat_find_same_roles, TK_HAS_HISTORY},
    {"user after tool", tk_chat_find_user_after_tool, TK_HAS_HISTORY},
    {"last assistant", tk_chat_find_last_assistant, TK_HAS_HISTORY},
    {"images of tools", tk_chat_find_image_in_tool, 0},
    {"images", tk_chat_find_bad_image, 0},
    {.name = NULL},
};
/* clang-format on */
