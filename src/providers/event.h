/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The events of a stream, as stream/ handles them. A provider sends its answer piece by piece, as
 * a message that starts, blocks of content that start, grow by deltas and stop, and an end. The
 * provider's decoder (providers/anthropic/events.c) reads each piece of JSON into a tk_event and
 * checks its shape (STREAM.md section 4); stream/ knows no other form.
 */
#ifndef TK_PROVIDERS_EVENT_H
#define TK_PROVIDERS_EVENT_H

#include "value/doc.h"

enum tk_event_type {
    TK_EVENT_UNKNOWN,
    TK_EVENT_MESSAGE_START,
    TK_EVENT_BLOCK_START,
    TK_EVENT_BLOCK_DELTA,
    TK_EVENT_BLOCK_STOP,
    TK_EVENT_MESSAGE_DELTA,
    TK_EVENT_MESSAGE_STOP,
    TK_EVENT_PING,
    TK_EVENT_ERROR,
    TK_EVENT_TYPES,
};

enum tk_delta_type {
    TK_DELTA_UNKNOWN,
    TK_DELTA_TEXT,
    TK_DELTA_CITATIONS,
    TK_DELTA_THINKING,
    TK_DELTA_SIGNATURE,
    TK_DELTA_INPUT_JSON,
    TK_DELTA_COMPACTION,
    TK_DELTA_TYPES,
};

struct tk_event {
    enum tk_event_type type;
    struct tk_val root;      /* absent: a ping without data */
    struct tk_str type_text; /* `.p == NULL`: it has none */
    struct tk_val index;     /* as encoded */
    int64_t at;              /* the index as a number */
    struct tk_val body;      /* message, content_block, delta or error */
    struct tk_val usage;     /* message_delta */
    struct tk_val request_id;
    enum tk_delta_type delta;
    struct tk_str delta_text; /* the delta's type */
    struct tk_val payload;    /* what the delta brings */
    struct tk_val encrypted;  /* compaction_delta: encrypted_content */
};

enum {
    TK_EVENT_MALFORMED = 1,
    TK_ID_MAX = 256, /* bytes of an id; an event with a longer one is malformed */
};

/* Returns the event type of a name; TK_EVENT_UNKNOWN for names that the decoder has no row of. */
enum tk_event_type tk_event_type_of(struct tk_str name);

/*
 * Decodes one event. Returns 0, or TK_EVENT_MALFORMED if its shape is not that of its type; then
 * type_text is set if the type could be read. Strings may be in the arena.
 */
int tk_event_read(struct tk_val root, struct tk_arena *arena, struct tk_event *ret);

#endif
