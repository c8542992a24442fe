/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The errors of a stream (STREAM.md section 10). Each kind has one row: its name, if the request
 * may be sent again, the members that give details, and a sentence for people.
 */
#ifndef TK_STREAM_ERROR_H
#define TK_STREAM_ERROR_H

#include "stream/kept.h"
#include "value/writer.h"

enum tk_fault {
    TK_STREAM_FAULT_NONE,
    TK_STREAM_FAULT_ORPHAN_RESULT,
    TK_STREAM_FAULT_DUPLICATE_OPERATION,
    TK_STREAM_FAULT_DUPLICATE_RESULT,
    TK_STREAM_FAULT_RESULT_TYPE_MISMATCH,
    TK_STREAM_FAULT_INCOMPLETE_OPERATION,
    TK_STREAM_FAULT_UNKNOWN_TOOL,
    TK_STREAM_FAULT_INVALID_INPUT_JSON,
    TK_STREAM_FAULT_MISSING_ID,
    TK_STREAM_FAULT_MISSING_NAME,
    TK_STREAM_FAULT_INDEX_GAP,
    TK_STREAM_FAULT_UNKNOWN_INDEX,
    TK_STREAM_FAULT_BLOCK_ALREADY_STOPPED,
    TK_STREAM_FAULT_DELTA_TYPE_MISMATCH,
    TK_STREAM_FAULT_EVENT_BEFORE_MESSAGE_START,
    TK_STREAM_FAULT_DUPLICATE_MESSAGE_START,
    TK_STREAM_FAULT_MALFORMED_EVENT,
    TK_STREAM_FAULT_STREAM_TOO_LARGE,
    TK_STREAM_FAULT_PROVIDER_ERROR,
    TK_STREAM_FAULT_TRANSPORT_ERROR,
    TK_STREAM_FAULT_TRUNCATED_STREAM,
    TK_FAULTS,
};

/* An absent index: null in the output. */
#define TK_NO_INDEX INT64_MIN

/*
 * The details of an error, for all kinds; only the members of its own kinds are read. An absent
 * string has `.p == NULL`.
 */
struct tk_stream_error {
    uint8_t kind, cause; /* enum tk_fault; cause: a second kind, why the stream ended */
    bool retryable; /* set by tk_stream_error_keep(), unless it depends on more than the kind */
    struct tk_str id, name, result_type, expected_type, got, delta_type, block_type, event;
    struct tk_str error_type, message, request_id, transport;
    const struct tk_str *ids;
    size_t id_count;
    int64_t wire_index, first_index, expected_index, limit;
    struct tk_kept error_object; /* the provider's own `error` */
    struct tk_kept error_event;  /* the provider's event that contains it */
};

/* Copies the error and all that it refers to into the arena, which is marked as failed without
 * memory. */
void tk_stream_error_keep(struct tk_arena *arena, const struct tk_stream_error *error,
                          struct tk_stream_error *ret);

/* Writes {"type": "error", "kind", ... without the end: the caller may write further members. */
void tk_stream_error_begin(struct tk_writer *w, const struct tk_stream_error *error);

/* Returns a sentence for people, in the arena; it contains nothing of the stream's content. */
struct tk_str tk_stream_error_text(const struct tk_stream_error *error, struct tk_arena *arena);

/* Return true if the type of a provider's error, or a code or state (a string or a number), says that
 * the request may be sent again. */
bool tk_error_type_may_pass(struct tk_str type);
bool tk_error_may_pass(struct tk_val code);

/* Returns the name of the error's kind, the first one if it has two. */
const char *tk_stream_error_kind(const struct tk_stream_error *error);

#endif
