/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes: one row per code, like those of other providers (engine/fix.h). Nothing here asks for the
 * protected item: no fix changes the content of reasoning. A code without a row is only reported. */
#include "engine/fix.h"
#include "engine/surrogates/surrogates.h"
#include "providers/openai/responses/provider.h"
#include "providers/openai/responses/rules.h"

#define ANYWHERE .reach = TK_REACH_ANYWHERE

const struct tk_rule_fix tk_responses_fixes[TK_CODE_COUNT] = {
    [TK_CODE_BODY_LONE_SURROGATE] = {.want = tk_want_no_surrogate, .act = tk_fix_surrogates},

    /* ---- items/fix_types.c ---- */
    [TK_CODE_RESP_ITEM_TYPE_UNKNOWN] = {.want = tk_want_item_type,
                                        .act = tk_fix_item_type,
                                        ANYWHERE},
    [TK_CODE_RESP_ROLE_UNKNOWN] = {.action = TK_ACTION_REWRITE, .act = tk_fix_item_role, ANYWHERE},
    [TK_CODE_RESP_DEVELOPER_ROLE] = {.action = TK_ACTION_REWRITE,
                                     .act = tk_fix_developer,
                                     ANYWHERE},

    /* ---- items/fix_item_members.c ---- */
    [TK_CODE_RESP_ITEM_FIELD_TYPE] = {.action = TK_ACTION_REWRITE,
                                      .act = tk_fix_member_type,
                                      ANYWHERE},
    [TK_CODE_RESP_MISSING_ITEM_FIELD] = {.want = tk_want_members, .act = tk_fix_missing, ANYWHERE},
    [TK_CODE_RESP_UNKNOWN_ITEM_FIELD] = {.want = tk_want_without_members,
                                         .act = tk_fix_item_members,
                                         ANYWHERE},

    /* ---- parts/fix.c ---- */
    [TK_CODE_RESP_CONTENT_PART_TYPE] = {.want = tk_want_part_type,
                                        .act = tk_fix_part_type,
                                        ANYWHERE},

    /* ---- calls/fix.c ---- */
    [TK_CODE_RESP_ARGUMENTS_NOT_STRING] = {.action = TK_ACTION_REWRITE,
                                           .act = tk_fix_argument_type,
                                           ANYWHERE},
    [TK_CODE_RESP_ARGUMENTS_INVALID_JSON] = {.action = TK_ACTION_REWRITE,
                                             .act = tk_fix_arguments,
                                             ANYWHERE},
    [TK_CODE_RESP_TOOL_NAME_IN_HISTORY] = {.action = TK_ACTION_REWRITE,
                                           .act = tk_fix_call_name,
                                           ANYWHERE},

    /* ---- ids/fix.c ---- */
    [TK_CODE_RESP_PREVIOUS_AND_RESEND] = {.want = tk_want_resent, .act = tk_fix_item_id, ANYWHERE},
    [TK_CODE_RESP_ITEM_NOT_PERSISTED] = {.want = tk_want_persisted,
                                         .act = tk_fix_item_id,
                                         ANYWHERE},
    [TK_CODE_RESP_ENCRYPTED_CONTENT_FOREIGN] = {.want = tk_want_own_ciphertext,
                                                .act = tk_fix_ciphertext,
                                                ANYWHERE},
    [TK_CODE_RESP_DUPLICATE_ITEM_ID] = {.want = tk_want_item_id_once,
                                        .act = tk_fix_item_id,
                                        ANYWHERE},
    [TK_CODE_RESP_ITEM_ID_PREFIX] = {.want = tk_want_prefix, .act = tk_fix_item_id, ANYWHERE},
    [TK_CODE_RESP_ID_TOO_LONG] = {.want = tk_want_short_item_id,
                                  .act = tk_fix_long_item_id,
                                  ANYWHERE},
    [TK_CODE_RESP_REASONING_WITHOUT_NEXT] = {.want = tk_want_reasoning_alone,
                                             .act = tk_fix_lone_reasoning,
                                             ANYWHERE},

    /* ---- pairs/fix.c ---- */
    [TK_CODE_RESP_CALL_ID_DUPLICATE] = {.want = tk_want_call_id_once,
                                        .act = tk_fix_repeated_call,
                                        ANYWHERE},
    [TK_CODE_RESP_OUTPUT_DUPLICATE] = {.want = tk_want_output_once, .act = tk_fix_output, ANYWHERE},
    [TK_CODE_RESP_OUTPUT_WITHOUT_CALL] = {.want = tk_want_call_of, .act = tk_fix_output, ANYWHERE},
    [TK_CODE_RESP_CALL_WITHOUT_OUTPUT] = {.want = tk_want_output_of,
                                          .act = tk_fix_open_call,
                                          ANYWHERE},
    [TK_CODE_RESP_DEEPSEEK_INTERLEAVED] = {.action = TK_ACTION_MOVE,
                                           .act = tk_fix_interleaved,
                                           ANYWHERE},
};
