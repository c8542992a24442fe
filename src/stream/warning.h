/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings: oddities of a stream that are no errors (STREAM.md section 9, STREAM-PROVIDERS.md section 10), counted by kind. */
#ifndef TK_STREAM_WARNING_H
#define TK_STREAM_WARNING_H

#define TK_WARNINGS(X)                                                                             \
    X(UNKNOWN_EVENT, "unknown_event")                                                              \
    X(UNKNOWN_DELTA, "unknown_delta")                                                              \
    X(UNKNOWN_TOOL, "unknown_tool")                                                                \
    X(EVENT_NAME_MISMATCH, "event_name_mismatch")                                                  \
    X(REPEATED_MESSAGE_START, "repeated_message_start")                                            \
    X(INPUT_CONFLICT, "input_conflict")                                                            \
    X(INVALID_CLIENT_INPUT, "invalid_client_input")                                                \
    X(UNSTOPPED_BLOCK, "unstopped_block")                                                          \
    X(ABANDONED_CALL, "abandoned_call")                                                            \
    X(CALLER_REFERENCE_DANGLING, "caller_reference_dangling")                                      \
    X(MISSING_INDEX, "missing_index")                                                              \
    X(INDEX_REUSED, "index_reused")                                                                \
    X(MISSING_CALL_ID, "missing_call_id")                                                          \
    X(CALL_ID_CHANGED, "call_id_changed")                                                          \
    X(DUPLICATE_CALL_ID, "duplicate_call_id")                                                      \
    X(STOP_WITH_CALLS, "stop_with_calls")                                                          \
    X(MISSING_FINISH_REASON, "missing_finish_reason")                                              \
    X(LATE_ERROR, "late_error")                                                                    \
    X(REPEATED_EVENT, "repeated_event")                                                            \
    X(SEQUENCE_GAP, "sequence_gap")                                                                \
    X(OUTPUT_MISMATCH, "output_mismatch")                                                          \
    X(TEXT_MISMATCH, "text_mismatch")                                                              \
    X(DELTA_AFTER_DONE, "delta_after_done")                                                        \
    X(CARRIED_RESULT, "carried_result")                                                            \
    X(UNANSWERED_CALL, "unanswered_call")                                                          \
    X(MISSING_MESSAGE_START, "missing_message_start")

enum tk_warning {
#define TK_WARNING_ENUM(id, name) TK_WARNING_##id,
    TK_WARNINGS(TK_WARNING_ENUM)
#undef TK_WARNING_ENUM
    TK_WARNING_COUNT,
};

#endif
