/* SPDX-License-Identifier: Apache-2.0 */
/* Warnings: oddities of a stream that are no errors (STREAM.md section 9), counted by kind. */
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
    X(CALLER_REFERENCE_DANGLING, "caller_reference_dangling")

enum tk_warning {
#define TK_WARNING_ENUM(id, name) TK_WARNING_##id,
    TK_WARNINGS(TK_WARNING_ENUM)
#undef TK_WARNING_ENUM
    TK_WARNING_COUNT,
};

#endif
