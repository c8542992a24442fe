/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixes by code. Nothing is protected, so no row has a reach. Codes without a row are only reported:
 * chat_messages_empty, chat_tool_limits, chat_tool_name_pattern, chat_tool_calls_too_many and the warnings.
 */
#include "engine/surrogates/surrogates.h"
#include "providers/openai/chat/provider.h"
#include "providers/openai/chat/rules.h"

#define REWRITE(function)                                                                          \
    {                                                                                              \
        .action = TK_ACTION_REWRITE, .act = (function)                                             \
    }

/* clang-format off */
const struct tk_rule_fix tk_chat_fixes[TK_CODE_COUNT] = {
    /* ---- engine/surrogates/fix_surrogates.c ---- */
    [TK_CODE_BODY_LONE_SURROGATE] = {.want = tk_want_no_surrogate, .act = tk_fix_surrogates},

    /* ---- messages/fix.c ---- */
    [TK_CODE_CHAT_ROLE_INVALID] = {.want = tk_chat_want_role, .act = tk_chat_fix_role},
    [TK_CODE_CHAT_ROLE_UNSUPPORTED] = {.want = tk_chat_want_preserving,
                                       .act = tk_chat_fix_unsupported_role},
    [TK_CODE_CHAT_DEVELOPER_ROLE] = REWRITE(tk_chat_fix_developer),
    [TK_CODE_CHAT_CONTENT_NULL] = {.want = tk_chat_want_content, .act = tk_chat_fix_content_null},
    [TK_CODE_CHAT_CONTENT_TYPE_INVALID] = REWRITE(tk_chat_fix_content_type),
    [TK_CODE_CHAT_TOOL_CALLS_EMPTY_ARRAY] = REWRITE(tk_chat_fix_empty_calls),
    [TK_CODE_CHAT_MESSAGE_NAME] = REWRITE(tk_chat_fix_message_name),
    [TK_CODE_CHAT_CONTENT_NOT_STRING] = {.want = tk_chat_want_string,
                                         .act = tk_chat_fix_list_content},
    [TK_CODE_CHAT_ASSISTANT_EMPTY] = {.want = tk_chat_want_no_empty,
                                      .act = tk_chat_fix_empty_message},
    [TK_CODE_CHAT_REASONING_CONTENT_REQUIRED] = REWRITE(tk_chat_fix_no_reasoning),

    /* ---- messages/members.c ---- */
    [TK_CODE_CHAT_UNKNOWN_MESSAGE_FIELD] = {.want = tk_chat_want_known_members,
                                            .act = tk_chat_fix_unknown_members},

    /* ---- parts/fix.c, parts/untyped.c ---- */
    [TK_CODE_CHAT_CONTENT_PART_TYPE] = {.want = tk_chat_want_part, .act = tk_chat_fix_part},
    [TK_CODE_CHAT_IMAGE_INVALID] = {.action = TK_ACTION_TEXTIFY, .act = tk_chat_fix_bad_image},

    /* ---- calls/fix.c ---- */
    [TK_CODE_CHAT_TOOL_CALL_NULL] = {.action = TK_ACTION_DROP, .act = tk_chat_fix_hole},
    [TK_CODE_CHAT_TOOL_NAME_IN_HISTORY] = {.want = tk_chat_want_call,
                                           .act = tk_chat_fix_tool_name},
    [TK_CODE_CHAT_ARGUMENTS_NOT_STRING] = {.want = tk_chat_want_call,
                                           .act = tk_chat_fix_arguments_type},
    [TK_CODE_CHAT_ARGUMENTS_INVALID_JSON] = REWRITE(tk_chat_fix_arguments_json),

    /* ---- pairs/fix.c ---- */
    [TK_CODE_CHAT_TOOL_CALL_ID_MISSING] = REWRITE(tk_chat_fix_id_missing),
    [TK_CODE_CHAT_TOOL_CALL_ID_DUPLICATE] = {.want = tk_chat_want_no_duplicate,
                                             .act = tk_chat_fix_duplicate},
    [TK_CODE_CHAT_TOOL_WITHOUT_CALL] = {.want = tk_chat_want_stray,
                                        .act = tk_chat_fix_stray,
                                        .order = TK_ORDER_MOVE_FIRST},
    [TK_CODE_CHAT_TOOL_CALLS_UNANSWERED] = {.want = tk_chat_want_result,
                                            .act = tk_chat_fix_unanswered},
    [TK_CODE_CHAT_CALL_COUNT_MISMATCH] = {.want = tk_chat_want_result,
                                          .act = tk_chat_fix_unanswered},
    [TK_CODE_CHAT_TOOL_CALL_ID_TOO_LONG] = REWRITE(tk_chat_fix_long_id),
    [TK_CODE_CHAT_TOOL_CALL_ID_PATTERN] = REWRITE(tk_chat_fix_id_pattern),

    /* ---- order/fix.c ---- */
    [TK_CODE_CHAT_SYSTEM_NOT_FIRST] = {.want = tk_chat_want_late_system,
                                       .act = tk_chat_fix_late_system},
    [TK_CODE_CHAT_ROLES_NOT_ALTERNATING] = {.want = tk_chat_want_joined,
                                            .act = tk_chat_fix_same_roles},
    [TK_CODE_CHAT_USER_AFTER_TOOL] = REWRITE(tk_chat_fix_user_after_tool),
    [TK_CODE_CHAT_LAST_ROLE_ASSISTANT] = {.want = tk_chat_want_last_user,
                                          .act = tk_chat_fix_last_assistant},
};
/* clang-format on */
