/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixes: one row per code. Each row has the edit that the policy wants (`want`, or a fixed `action`)
 * and the function that makes it (`act`); engine/fix.h explains the members. The heading above the
 * rows names the file of these functions, and those that are elsewhere; tk_fix_drop() is in
 * engine/fix.c. A code without a row is never edited because of a finding.
 */
#include "engine/fix.h"
#include "engine/surrogates/surrogates.h"
#include "providers/anthropic/media/document_name.h"
#include "providers/anthropic/provider.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/steps.h"

const struct tk_rule_fix tk_anthropic_fixes[TK_CODE_COUNT] = {
    /* ---- provider_pairs/fix.c ---- */
    [TK_CODE_PROVIDER_EXECUTED_BLOCK_OUTSIDE_ASSISTANT] = {.want = tk_want_outside,
                                                           .act = tk_fix_pair},
    [TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID] = {.want = tk_want_duplicate,
                                                .act = tk_fix_duplicate,
                                                .always = true,
                                                .reach = TK_REACH_PAIR},
    [TK_CODE_PROVIDER_EXECUTED_CALL_WITHOUT_RESULT] = {.want = tk_want_orphan_call,
                                                       .act = tk_fix_pair,
                                                       .reach = TK_REACH_GUARD,
                                                       .order = TK_ORDER_LAST},
    [TK_CODE_PROVIDER_EXECUTED_RESULT_WITHOUT_CALL] = {.want = tk_want_orphan_result,
                                                       .act = tk_fix_pair,
                                                       .reach = TK_REACH_PAIR},
    [TK_CODE_PROVIDER_EXECUTED_RESULT_BEFORE_CALL] = {.want = tk_want_before_call,
                                                      .act = tk_fix_pair,
                                                      .reach = TK_REACH_PAIR},
    [TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_CALL] = {.want = tk_want_valid_pair,
                                                     .act = tk_fix_pair,
                                                     .reach = TK_REACH_PAIR},
    [TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_RESULT] = {.want = tk_want_valid_pair,
                                                       .act = tk_fix_pair,
                                                       .reach = TK_REACH_PAIR},
    [TK_CODE_PROVIDER_EXECUTED_RESULT_TYPE_MISMATCH] = {.want = tk_want_valid_pair,
                                                        .act = tk_fix_pair,
                                                        .reach = TK_REACH_PAIR},
    [TK_CODE_CALLER_REFERENCE_DANGLING] = {.action = TK_ACTION_REWRITE,
                                           .act = tk_fix_caller,
                                           .order = TK_ORDER_LAST},
    [TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN] = {.want = tk_want_valid_pair,
                                                .act = tk_fix_pair,
                                                .reach = TK_REACH_PAIR},

    /* ---- client_pairs/fix.c ---- */
    [TK_CODE_TOOL_USE_WITHOUT_RESULT] = {.want = tk_want_answer,
                                         .act = tk_fix_answer,
                                         .reach = TK_REACH_ANYWHERE},
    [TK_CODE_TOOL_RESULT_NOT_FIRST] = {.action = TK_ACTION_MOVE, .act = tk_fix_not_first},
    [TK_CODE_TOOL_RESULT_NOT_ADJACENT] = {.action = TK_ACTION_MOVE, .act = tk_fix_stray},
    [TK_CODE_TOOL_RESULT_WITHOUT_USE] = {.want = tk_want_stray, .act = tk_fix_stray},
    [TK_CODE_TOOL_RESULT_DUPLICATE] = {.action = TK_ACTION_TEXTIFY, .act = tk_fix_stray},
    [TK_CODE_TOOL_USE_ID_DUPLICATE] = {.want = tk_want_repeated,
                                       .act = tk_fix_repeated,
                                       .reach = TK_REACH_PAIR},
    [TK_CODE_TOOL_USE_IN_USER] = {.want = tk_want_call_in_user, .act = tk_fix_call_in_user},
    [TK_CODE_TOOL_RESULT_IN_ASSISTANT] = {.want = tk_want_inside, .act = tk_fix_stray},
    [TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL] = {.action = TK_ACTION_TEXTIFY, .act = tk_fix_stray},

    /* ---- ids/fix.c ---- */
    [TK_CODE_SERVER_TOOL_ID_PATTERN] = {.action = TK_ACTION_REWRITE,
                                        .act = tk_fix_server_id,
                                        .reach = TK_REACH_PAIR},
    [TK_CODE_TOOL_USE_ID_PATTERN] = {.action = TK_ACTION_REWRITE,
                                     .act = tk_fix_client_id,
                                     .reach = TK_REACH_PAIR},

    /* ---- structure/fix_roles.c; tk_want_gone(): structure/fix_members.c ---- */
    [TK_CODE_SYSTEM_MESSAGE_POSITION] = {.want = tk_want_slide,
                                         .act = tk_fix_slide,
                                         .order = TK_ORDER_LAST},
    [TK_CODE_SYSTEM_MESSAGE_EMPTY] = {.want = tk_want_gone, .act = tk_fix_empty_system},
    [TK_CODE_SYSTEM_MESSAGE_BLOCK_TYPE] = {.want = tk_want_block_out, .act = tk_fix_block_out},

    /* ---- engine/surrogates/fix_surrogates.c ---- */
    [TK_CODE_BODY_LONE_SURROGATE] = {.want = tk_want_no_surrogate, .act = tk_fix_surrogates},

    /* ---- structure/fix_content.c ---- */
    [TK_CODE_CONTENT_TYPE_INVALID] = {.want = tk_want_content, .act = tk_fix_content},

    /* ---- structure/fix_members.c ---- */
    [TK_CODE_MESSAGE_EXTRA_INPUTS] = {.want = tk_want_no_extras,
                                      .act = tk_fix_extras,
                                      .reach = TK_REACH_ANYWHERE},

    /* ---- engine/empty_messages.c; tk_want_gone(), tk_want_filled(): structure/fix_members.c ---- */
    [TK_CODE_MESSAGE_CONTENT_EMPTY] = {.want = tk_want_gone},
    [TK_CODE_USER_CONTENT_EMPTY] = {.want = tk_want_filled},

    /* ---- blocks/fix.c ---- */
    [TK_CODE_FIELD_REQUIRED] = {.want = tk_want_block_gone, .act = tk_fix_drop},
    [TK_CODE_EXTRA_INPUTS] = {.action = TK_ACTION_REWRITE, .act = tk_fix_extra_inputs},
    [TK_CODE_SEARCH_RESULT_IN_ASSISTANT] = {.want = tk_want_block_as_text,
                                            .act = tk_fix_block_as_text},

    /* ---- tool_results/fix_calls.c ---- */
    [TK_CODE_TOOL_USE_NAME_INVALID] = {.action = TK_ACTION_REWRITE, .act = tk_fix_tool_name},
    [TK_CODE_TOOL_USE_INPUT_NOT_OBJECT] = {.action = TK_ACTION_REWRITE, .act = tk_fix_tool_input},

    /* ---- tool_results/fix_results.c ---- */
    [TK_CODE_TOOL_RESULT_CONTENT_TYPE] = {.action = TK_ACTION_REWRITE,
                                          .act = tk_fix_result_content},
    [TK_CODE_TOOL_RESULT_ERROR_NON_TEXT] = {.want = tk_want_unload, .act = tk_fix_unload},
    [TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED] = {.want = tk_want_unload,
                                                 .act = tk_fix_search_mixed},
    [TK_CODE_TOOL_RESULT_TOOL_REFERENCE_MIXED] = {.want = tk_want_unload, .act = tk_fix_unload},
    [TK_CODE_TOOLSET_NAME_MISMATCH] = {.action = TK_ACTION_REWRITE, .act = tk_fix_toolset_name},
    [TK_CODE_TOOLSET_RESULT_CONTENT] = {.action = TK_ACTION_REWRITE, .act = tk_fix_result_blocks},
    [TK_CODE_PTC_RESULT_NON_TEXT] = {.action = TK_ACTION_REWRITE, .act = tk_fix_result_blocks},

    /* ---- text/fix.c: the marker on a blank text goes with it ---- */
    [TK_CODE_TEXT_EMPTY] = {.want = tk_want_no_blank, .act = tk_fix_blank, .reach = TK_REACH_GUARD},
    [TK_CODE_TEXT_WHITESPACE_ONLY] = {.want = tk_want_no_blank,
                                      .act = tk_fix_blank,
                                      .reach = TK_REACH_GUARD},
    [TK_CODE_FINAL_ASSISTANT_TRAILING_WHITESPACE] = {.action = TK_ACTION_REWRITE,
                                                     .act = tk_fix_trailing_space},
    [TK_CODE_CACHE_CONTROL_EMPTY_TEXT] = {.want = tk_want_no_blank,
                                          .act = tk_fix_blank,
                                          .reach = TK_REACH_GUARD},

    /* ---- thinking/fix.c ---- */
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
                                      .order = TK_ORDER_LAST},

    [TK_CODE_THINKING_DISABLED_FINAL] = {.want = tk_want_in_user,
                                         .act = tk_fix_unwanted,
                                         .order = TK_ORDER_LAST},

    /* ---- target/fix.c ---- */
    [TK_CODE_TOOL_SEARCH_UNPAIRED] = {.action = TK_ACTION_DROP,
                                      .act = tk_fix_drop,
                                      .reach = TK_REACH_GUARD},
    [TK_CODE_FIRST_MESSAGE_NOT_USER] = {.want = tk_want_user_first,
                                        .act = tk_fix_user_first,
                                        .reach = TK_REACH_ANYWHERE,
                                        .order = TK_ORDER_LAST},
    [TK_CODE_ROLES_NOT_ALTERNATING] = {.want = tk_want_merge, .act = tk_fix_merge},
    [TK_CODE_ASSISTANT_PREFILL_UNSUPPORTED] = {.want = tk_want_user_last,
                                               .act = tk_fix_user_last,
                                               .reach = TK_REACH_ANYWHERE,
                                               .order = TK_ORDER_LAST},
    [TK_CODE_SYSTEM_ROLE_UNSUPPORTED] = {.want = tk_want_as_user, .act = tk_fix_as_user},

    /* ---- seals/fix.c: tk_mend_sealed(), which edits all blocks of a sealed turn at once ---- */
    [TK_CODE_SEALED_TURN_REORDERED] = {.want = tk_want_sealed, .reach = TK_REACH_ANYWHERE},
    [TK_CODE_SEALED_TURN_ALTERED] = {.want = tk_want_sealed, .reach = TK_REACH_ANYWHERE},
    [TK_CODE_SEALED_TURN_MISSING_THINKING] = {.want = tk_want_sealed, .reach = TK_REACH_ANYWHERE},
    [TK_CODE_SEALED_TURN_MISSING_TOOL_USE] = {.want = tk_want_sealed, .reach = TK_REACH_ANYWHERE},
    [TK_CODE_SEALED_TURN_FOREIGN_BLOCK] = {.want = tk_want_sealed, .reach = TK_REACH_ANYWHERE},

    /* ---- media/fix.c ---- */
    [TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED] = {.want = tk_want_image, .act = tk_fix_image},
    [TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH] = {.want = tk_want_image, .act = tk_fix_image},
    [TK_CODE_IMAGE_DIMENSIONS] = {.want = tk_want_image, .act = tk_fix_image},
    /* It waits, since images that go for another reason leave fewer. */
    [TK_CODE_IMAGE_MANY_DIMENSIONS] = {.want = tk_want_image,
                                       .act = tk_fix_image,
                                       .order = TK_ORDER_LAST},
    [TK_CODE_IMAGE_TOO_LARGE_BYTES] = {.want = tk_want_image, .act = tk_fix_image},

    /* ---- media/document_name.c ---- */
    [TK_CODE_DOCUMENT_NAME_CHARS] = {.action = TK_ACTION_REWRITE, .act = tk_fix_document_name},

    /* ---- limits/fix.c: both wait, since edits for another reason leave less ---- */
    [TK_CODE_REQUEST_TOO_LARGE] = {.want = tk_want_fewer_bytes,
                                   .act = tk_fix_too_many_bytes,
                                   .order = TK_ORDER_LAST},
    [TK_CODE_IMAGE_COUNT] = {.want = tk_want_fewer_images,
                             .act = tk_fix_too_many_images,
                             .order = TK_ORDER_LAST},

    /* ---- cache/fix.c ---- */
    [TK_CODE_CACHE_CONTROL_TOO_MANY] = {.want = tk_want_fewer_markers,
                                        .act = tk_fix_too_many_markers,
                                        .order = TK_ORDER_LAST},
    [TK_CODE_CACHE_CONTROL_ON_THINKING] = {.stage = TK_STAGE_THINKING_MARKER,
                                           .action = TK_ACTION_REWRITE,
                                           .act = tk_fix_marker_off,
                                           .reach = TK_REACH_ANYWHERE},
    [TK_CODE_CACHE_TTL_ORDER] = {.want = tk_want_marker_order,
                                 .act = tk_fix_marker_order,
                                 .order = TK_ORDER_LAST},

    [TK_CODE_CACHE_AUTO_CONFLICT] = {.want = tk_want_one_lifetime,
                                     .act = tk_fix_marker_off,
                                     .order = TK_ORDER_LAST},

    /* ---- citations/fix.c ---- */
    [TK_CODE_ENCRYPTED_INDEX_MISSING] = {.action = TK_ACTION_REWRITE, .act = tk_fix_bare_citations},
    [TK_CODE_CITATIONS_ALL_OR_NONE] = {.want = tk_want_document_citations,
                                       .act = tk_fix_document_citations,
                                       .order = TK_ORDER_LAST},
    [TK_CODE_CITATIONS_WITH_STRUCTURED_OUTPUT] = {.want = tk_want_no_citations,
                                                  .act = tk_fix_citing_document},

    /* ---- compaction/fix.c ---- */
    [TK_CODE_COMPACTION_BLOCK_EMPTY] = {.action = TK_ACTION_REWRITE,
                                        .act = tk_fix_empty_compaction},
    [TK_CODE_COMPACTION_BLOCK_MISPLACED] = {.stage = TK_STAGE_COMPACTION,
                                            .want = tk_want_compaction_first,
                                            .act = tk_fix_compaction_first,
                                            .reach = TK_REACH_OWN,
                                            .may = tk_may_put_compaction_first},

    /* ---- tools/fix.c: tk_want_orphan_call() and tk_fix_pair() are in provider_pairs/fix.c ---- */
    [TK_CODE_SERVER_TOOL_PENDING_TOOL_MISSING] = {.want = tk_want_orphan_call,
                                                  .act = tk_fix_pair,
                                                  .reach = TK_REACH_GUARD},
    [TK_CODE_TOOL_REFERENCE_UNKNOWN] = {.action = TK_ACTION_REWRITE, .act = tk_fix_references},
    [TK_CODE_TOOL_CHANGE_UNKNOWN_TOOL] = {.action = TK_ACTION_DROP, .act = tk_fix_drop},

    /* ---- betas/fix.c; tk_fix_pair(): provider_pairs/fix.c; tk_fix_drop_message():
     * structure/fix_roles.c ---- */
    [TK_CODE_ADVISOR_BETA_MISSING] = {.want = tk_want_no_advice,
                                      .act = tk_fix_pair,
                                      .reach = TK_REACH_PAIR},
    [TK_CODE_MCP_TOOL_LISTING_BETA] = {.want = tk_want_out, .act = tk_fix_drop},
    [TK_CODE_FALLBACK_BLOCK_BETA] = {.want = tk_want_no_fallback, .act = tk_fix_drop},
    [TK_CODE_TOOL_CHANGE_BETA] = {.want = tk_want_out, .act = tk_fix_drop},
    [TK_CODE_MESSAGE_OUTPUT_CONFIG_BETA] = {.want = tk_want_no_output_config,
                                            .act = tk_fix_drop_message},
    [TK_CODE_MESSAGE_CLEAR_AT_BETA] = {.want = tk_want_no_clear_at, .act = tk_fix_clear_at},
    [TK_CODE_COMPACTION_BLOCK_BETA] = {.want = tk_want_summary, .act = tk_fix_summary},
    [TK_CODE_COMPACTION_STRATEGY_MISSING] = {.want = tk_want_summary, .act = tk_fix_summary},
    [TK_CODE_COMPACTION_SIGNATURE_MISSING] = {.want = tk_want_summary, .act = tk_fix_summary},

    /*
     * Codes whose faults are edited without a row of their own:
     *
     *     tool_results_split          the row of roles_not_alternating, which joins the messages
     *     citation_dangling           citations/fix_removed_source.c, after a result was removed
     *     thinking_not_for_route      thinking/route.c
     *     prior_thinking_pruned       thinking/route.c
     *     thinking_prefix_mismatch    thinking/bound_find.c
     *
     * Neighbours that the policy merge_adjacent joins have the code roles_not_alternating, too, also
     * if no finding asks for it (engine/merge_messages.c).
     */
};
