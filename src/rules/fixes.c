/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/fix.h"

const struct tk_rule_fix tk_rule_fixes[TK_CODE_COUNT] = {
    [TK_CODE_BLOCK_OUTSIDE_ASSISTANT] = {.want = tk_want_outside, .act = tk_fix_pair},
    [TK_CODE_DUPLICATE_ID] = {.want = tk_want_duplicate,
                              .act = tk_fix_duplicate,
                              .reach = TK_REACH_PAIR},
    [TK_CODE_CALL_WITHOUT_RESULT] = {.want = tk_want_orphan_call,
                                     .act = tk_fix_pair,
                                     .reach = TK_REACH_GUARD},
    [TK_CODE_RESULT_WITHOUT_CALL] = {.want = tk_want_orphan_result,
                                     .act = tk_fix_pair,
                                     .reach = TK_REACH_PAIR},
    [TK_CODE_RESULT_BEFORE_CALL] = {.want = tk_want_before_call,
                                    .act = tk_fix_pair,
                                    .reach = TK_REACH_PAIR},
    [TK_CODE_INVALID_CALL] = {.want = tk_want_valid_pair,
                              .act = tk_fix_pair,
                              .reach = TK_REACH_PAIR},
    [TK_CODE_INVALID_RESULT] = {.want = tk_want_valid_pair,
                                .act = tk_fix_pair,
                                .reach = TK_REACH_PAIR},
    [TK_CODE_TYPE_MISMATCH] = {.want = tk_want_valid_pair,
                               .act = tk_fix_pair,
                               .reach = TK_REACH_PAIR},
    [TK_CODE_CALLER_DANGLING] = {.action = TK_ACTION_REWRITE, .act = tk_fix_caller, .waits = true},
    [TK_CODE_TOOL_UNKNOWN] = {.want = tk_want_valid_pair,
                              .act = tk_fix_pair,
                              .reach = TK_REACH_PAIR},
    /* tk_plan_settle() sees to these two, once a round's edits are made. */
    [TK_CODE_MESSAGE_CONTENT_EMPTY] = {.action = TK_ACTION_DROP_MESSAGE},
    [TK_CODE_USER_CONTENT_EMPTY] = {.action = TK_ACTION_REWRITE},
    [TK_CODE_TEXT_EMPTY] = {.want = tk_want_no_blank, .act = tk_fix_blank, .reach = TK_REACH_GUARD},
    [TK_CODE_TEXT_WHITESPACE_ONLY] = {.want = tk_want_no_blank,
                                      .act = tk_fix_blank,
                                      .reach = TK_REACH_GUARD},
    [TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE] = {.action = TK_ACTION_REWRITE,
                                                     .act = tk_fix_trailing_space},
    [TK_CODE_CACHE_CONTROL_TOO_MANY] = {.want = tk_want_fewer_markers,
                                        .act = tk_fix_too_many_markers,
                                        .waits = true},
    [TK_CODE_CACHE_CONTROL_ON_THINKING] = {.stage = TK_STAGE_THINKING_MARKER,
                                           .action = TK_ACTION_REWRITE,
                                           .act = tk_fix_marked_thinking,
                                           .reach = TK_REACH_ANYWHERE},
    [TK_CODE_CACHE_TTL_ORDER] = {.want = tk_want_marker_order,
                                 .act = tk_fix_marker_order,
                                 .waits = true},
    [TK_CODE_CACHE_CONTROL_EMPTY_TEXT] = {.want = tk_want_no_blank,
                                          .act = tk_fix_blank,
                                          .reach = TK_REACH_GUARD},
    [TK_CODE_THINKING_EMPTY] = {.stage = TK_STAGE_THINKING_BLOCK,
                                .action = TK_ACTION_DROP,
                                .act = tk_fix_drop,
                                .reach = TK_REACH_ANYWHERE},
    [TK_CODE_THINKING_SIGNATURE_MISSING] = {.stage = TK_STAGE_THINKING_BLOCK,
                                            .want = tk_want_unsigned,
                                            .act = tk_fix_dead_block,
                                            .reach = TK_REACH_ANYWHERE},
    [TK_CODE_THINKING_TEXT_MISSING] = {.action = TK_ACTION_REWRITE, .act = tk_fix_missing_text},
    [TK_CODE_REDACTED_THINKING_DATA_INVALID] = {.stage = TK_STAGE_THINKING_BLOCK,
                                                .action = TK_ACTION_DROP,
                                                .act = tk_fix_drop,
                                                .reach = TK_REACH_ANYWHERE},
    [TK_CODE_THINKING_IN_USER] = {.want = tk_want_in_user, .act = tk_fix_dead_block},
    [TK_CODE_THINKING_ORDER_UNVERIFIED] = {.stage = TK_STAGE_THINKING_ORDER,
                                           .want = tk_want_unordered,
                                           .act = tk_fix_dead_turn,
                                           .reach = TK_REACH_ANYWHERE},
    [TK_CODE_THINKING_SIGNATURE_MALFORMED] = {.stage = TK_STAGE_THINKING_BLOCK,
                                              .want = tk_want_unsigned,
                                              .act = tk_fix_malformed,
                                              .reach = TK_REACH_ANYWHERE},
    [TK_CODE_THINKING_FINAL_BLOCK] = {.action = TK_ACTION_APPEND,
                                      .act = tk_fix_final_thinking,
                                      .reach = TK_REACH_GUARD,
                                      .waits = true},
};

int tk_fix_drop(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_drop(p->e, f->part, (enum tk_code)f->code);
}

bool tk_turn_is_signed(const struct tk_transcript *t, uint32_t message)
{
    uint32_t turn = t->messages[message].turn;

    return turn != TK_NONE && (t->turns[turn].flags & TK_TURN_SIGNED);
}
