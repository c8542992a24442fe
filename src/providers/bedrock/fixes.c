/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixes: one row per code (engine/fix.h). The heading above the rows names the file of their functions;
 * tk_fix_drop() is in engine/fix.c. Codes without a row are only reported: brk_messages_empty,
 * brk_toolconfig_missing and the warnings.
 */
#include "engine/surrogates/surrogates.h"
#include "providers/bedrock/rules.h"
#include "providers/common/part_lists.h"

#define REWRITE(function)                                                                          \
    {                                                                                              \
        .action = TK_ACTION_REWRITE, .act = (function)                                             \
    }

/* clang-format off */
const struct tk_rule_fix tk_bedrock_fixes[TK_CODE_COUNT] = {
    /* ---- engine/surrogates/fix_surrogates.c ---- */
    [TK_CODE_BODY_LONE_SURROGATE] = {.want = tk_want_no_surrogate, .act = tk_fix_surrogates},

    /* ---- providers/common/part_lists.c ---- */
    [TK_CODE_BRK_CONTENT_TYPE] = REWRITE(tk_fix_content_type),

    /* ---- messages/fix.c ---- */
    [TK_CODE_BRK_ROLE_INVALID] = {.action = TK_ACTION_REWRITE,
                                  .act = tk_brk_fix_role,
                                  .reach = TK_REACH_ANYWHERE},
    [TK_CODE_BRK_CONTENT_EMPTY] = {.want = tk_brk_want_parts,
                                   .act = tk_brk_fix_empty,
                                   .reach = TK_REACH_ANYWHERE},
    [TK_CODE_BRK_FIRST_NOT_USER] = {.want = tk_brk_want_user_first,
                                    .act = tk_brk_fix_user_first,
                                    .reach = TK_REACH_ANYWHERE},
    [TK_CODE_BRK_MIXED_TOOL_RESULT] = {.want = tk_brk_want_split, .act = tk_brk_fix_mixed},
    [TK_CODE_BRK_PREFILL] = {.want = tk_brk_want_user_last,
                             .act = tk_brk_fix_user_last,
                             .reach = TK_REACH_ANYWHERE},

    /* ---- blocks/fix.c ---- */
    [TK_CODE_BRK_BLOCK_UNION] = {.want = tk_brk_want_union,
                                 .act = tk_brk_fix_union,
                                 .reach = TK_REACH_OWN,
                                 .may = tk_brk_may_union},
    [TK_CODE_BRK_EXTRA_MEMBER] = REWRITE(tk_brk_fix_extra_member),

    /* ---- text/fix.c ---- */
    [TK_CODE_BRK_TEXT_BLANK] = {.want = tk_brk_want_no_blank,
                                .act = tk_fix_drop,
                                .reach = TK_REACH_GUARD},

    /* ---- server/fix.c ---- */
    [TK_CODE_BRK_SERVER_BLOCK_IN_USER] = {.want = tk_brk_want_flat, .act = tk_brk_fix_server},
    [TK_CODE_BRK_SERVER_ID_DUPLICATE] = {.want = tk_brk_want_no_duplicate,
                                         .act = tk_brk_fix_server},
    [TK_CODE_BRK_SERVER_CALL_WITHOUT_RESULT] = {.want = tk_brk_want_orphan_call,
                                                .act = tk_brk_fix_server,
                                                .reach = TK_REACH_GUARD},
    [TK_CODE_BRK_SERVER_RESULT_WITHOUT_CALL] = {.want = tk_brk_want_orphan_result,
                                                .act = tk_brk_fix_server},
    [TK_CODE_BRK_SERVER_RESULT_BEFORE_CALL] = {.want = tk_brk_want_in_order,
                                               .act = tk_brk_fix_server},

    /* ---- pairs/fix.c ---- */
    [TK_CODE_BRK_TOOL_USE_IN_USER] = {.action = TK_ACTION_DROP, .act = tk_fix_drop},
    [TK_CODE_BRK_TOOL_USE_ID_DUPLICATE] = {.want = tk_brk_want_one_id, .act = tk_brk_fix_one_id},
    [TK_CODE_BRK_RESULT_IN_ASSISTANT] = {.want = tk_brk_want_outside, .act = tk_brk_fix_result},
    [TK_CODE_BRK_RESULT_MISPLACED] = {.action = TK_ACTION_MOVE, .act = tk_brk_fix_result},
    [TK_CODE_BRK_RESULT_NOT_FIRST] = {.action = TK_ACTION_MOVE, .act = tk_brk_fix_result},
    [TK_CODE_BRK_TOOL_RESULT_DUPLICATE] = {.want = tk_brk_want_text, .act = tk_brk_fix_result},
    [TK_CODE_BRK_EXTRA_TOOL_RESULT] = {.want = tk_brk_want_text, .act = tk_brk_fix_result},
    [TK_CODE_BRK_MISSING_TOOL_RESULT] = {.want = tk_brk_want_result,
                                         .act = tk_brk_fix_unanswered,
                                         .reach = TK_REACH_ANYWHERE},

    /* ---- calls/fix.c ---- */
    [TK_CODE_BRK_TOOL_USE_ID] = {.action = TK_ACTION_REWRITE,
                                 .act = tk_brk_fix_id,
                                 .reach = TK_REACH_OWN,
                                 .may = tk_brk_may_change_id},
    [TK_CODE_BRK_TOOL_NAME_CHARS] = REWRITE(tk_brk_fix_tool_name),
    [TK_CODE_BRK_TOOL_INPUT_NOT_OBJECT] = REWRITE(tk_brk_fix_tool_input),
    [TK_CODE_BRK_RESULT_CONTENT_TYPE] = REWRITE(tk_brk_fix_result_type),
    [TK_CODE_BRK_RESULT_TEXT_BLANK] = REWRITE(tk_brk_fix_blank_result),
    [TK_CODE_BRK_RESULT_JSON_NOT_OBJECT] = REWRITE(tk_brk_fix_bad_json),
    [TK_CODE_BRK_ERROR_RESULT_EMPTY] = REWRITE(tk_brk_fix_no_output),

    /* ---- reasoning/fix.c ---- */
    [TK_CODE_BRK_REASONING_IN_USER] = {.want = tk_brk_want_demoted, .act = tk_brk_fix_reasoning},
    [TK_CODE_BRK_REASONING_SIGNATURE] = {.want = tk_brk_want_demoted, .act = tk_brk_fix_reasoning},
    [TK_CODE_BRK_REASONING_FINAL] = {.action = TK_ACTION_APPEND,
                                     .act = tk_brk_fix_last_reasoning,
                                     .reach = TK_REACH_GUARD},

    /* ---- documents/fix.c ---- */
    [TK_CODE_BRK_DOCUMENT_WITHOUT_TEXT] = {.action = TK_ACTION_APPEND,
                                           .act = tk_brk_fix_document_alone},
    [TK_CODE_BRK_DOCUMENT_NAME] = REWRITE(tk_brk_fix_document_name),
};
/* clang-format on */
