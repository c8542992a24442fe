/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fixes by code. `reach` is the table of PROVIDERS.md 5.3. Codes without a row are only reported:
 * gem_contents_empty, gem_function_name, gem_builtin_with_functions and the warnings.
 */
#include "engine/surrogates/surrogates.h"
#include "providers/common/part_lists.h"
#include "providers/gemini/provider.h"
#include "providers/gemini/rules.h"

#define REWRITE(function)                                                                          \
    {                                                                                              \
        .action = TK_ACTION_REWRITE, .act = (function)                                             \
    }
#define REWRITE_ANYWHERE(function)                                                                 \
    {                                                                                              \
        .action = TK_ACTION_REWRITE, .act = (function), .reach = TK_REACH_ANYWHERE                 \
    }

/* clang-format off */
const struct tk_rule_fix tk_gem_fixes[TK_CODE_COUNT] = {
    /* ---- engine/surrogates/fix_surrogates.c ---- */
    [TK_CODE_BODY_LONE_SURROGATE] = {.want = tk_want_no_surrogate, .act = tk_fix_surrogates},

    /* ---- providers/common/part_lists.c ---- */
    [TK_CODE_GEM_PARTS_TYPE] = REWRITE(tk_fix_content_type),

    /* ---- messages/fix.c ---- */
    [TK_CODE_GEM_ROLE_INVALID] = REWRITE_ANYWHERE(tk_gem_fix_role),
    [TK_CODE_GEM_PARTS_EMPTY] = {.want = tk_gem_want_parts, .act = tk_gem_fix_no_parts,
                                 .reach = TK_REACH_ANYWHERE},
    [TK_CODE_GEM_CALL_POSITION] = REWRITE_ANYWHERE(tk_gem_fix_user_first),
    [TK_CODE_GEM_LAST_ROLE_MODEL] = {.want = tk_gem_want_user_last, .act = tk_gem_fix_user_last,
                                     .reach = TK_REACH_ANYWHERE},

    /* ---- parts/fix.c ---- */
    [TK_CODE_GEM_PART_UNION] = REWRITE(tk_gem_fix_union),
    [TK_CODE_GEM_PART_EMPTY] = {.action = TK_ACTION_DROP, .act = tk_fix_drop,
                                .reach = TK_REACH_GUARD},
    [TK_CODE_GEM_CALL_IN_USER] = {.action = TK_ACTION_DROP, .act = tk_fix_drop},
    [TK_CODE_GEM_CALL_NAME] = REWRITE(tk_gem_fix_name),
    [TK_CODE_GEM_ARGS_NOT_OBJECT] = REWRITE(tk_gem_fix_args),
    [TK_CODE_GEM_RESPONSE_NOT_OBJECT] = REWRITE(tk_gem_fix_response_type),

    /* ---- pairs/fix.c ---- */
    [TK_CODE_GEM_RESPONSE_IN_MODEL] = {.want = tk_gem_want_response_placed, .act = tk_gem_fix_stray},
    [TK_CODE_GEM_RESPONSE_MISPLACED] = {.want = tk_gem_want_response_placed, .act = tk_gem_fix_stray},
    [TK_CODE_GEM_RESPONSE_WITHOUT_CALL] = {.want = tk_gem_want_response_placed,
                                           .act = tk_gem_fix_stray},
    [TK_CODE_GEM_CALL_WITHOUT_RESPONSE] = {.want = tk_gem_want_response,
                                           .act = tk_gem_fix_unanswered,
                                           .reach = TK_REACH_OWN,
                                           .may = tk_gem_may_answer},
    [TK_CODE_GEM_RESPONSE_NAME] = REWRITE(tk_gem_fix_response_name),
    [TK_CODE_GEM_TEXT_AFTER_RESPONSE] = {.action = TK_ACTION_MOVE, .act = tk_gem_fix_text_after},

    /* ---- signatures/fix.c ---- */
    [TK_CODE_GEM_THOUGHT_SIGNATURE_MISSING] = REWRITE_ANYWHERE(tk_gem_fix_signature),
};
/* clang-format on */
