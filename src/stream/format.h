/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a provider streams its answers: one struct a provider, the member `stream` of its row. Two
 * kinds of formats exist, and a provider has one of them:
 *
 *     block_format.h      a message of numbered blocks, each with a start, deltas and a stop;
 *                         src/stream pairs the blocks and may renumber them
 *     turn/turn_format.h  anything else: a decoder reads each event and tells what happens
 *
 * Here is what both have: framings of bytes, and the words of the output `finish`.
 */
#ifndef TK_STREAM_FORMAT_H
#define TK_STREAM_FORMAT_H

#include "stream/wire/wire.h"
#include "value/doc.h"

/* Why a message ended, in words that are the same for all providers. */
enum tk_finish_reason {
    TK_FINISH_UNKNOWN,
    TK_FINISH_STOP,
    TK_FINISH_LENGTH,
    TK_FINISH_TOOL_CALLS,
    TK_FINISH_CONTENT_FILTER,
    TK_FINISH_REASONS,
};

enum tk_counter_kind {
    TK_TOKENS_INPUT,
    TK_TOKENS_CACHE_CREATION,
    TK_TOKENS_CACHE_READ,
    TK_TOKENS_OUTPUT,
    TK_TOKENS,
};

/* A page that a search found. */
struct tk_stream_source_view {
    struct tk_val url, title;
};

/*
 * How a provider packs its events in the frames of an eventstream, if not as {EVENT-TYPE: payload}.
 *
 * open() replaces the frame's data by the JSON text of the event in it, and its kind by the kind of
 * that event. `tape` may be used; the text goes to the arena. Returns 0, -ENOMEM, TK_ENVELOPE_EMPTY for
 * a frame of an unknown type, or TK_ENVELOPE_BROKEN for one that should have an event and hasn't.
 *
 * close() tells type and payload of the frame for an event in JSON; both in the arena or constant.
 */
enum {
    TK_ENVELOPE_EMPTY = 1,
    TK_ENVELOPE_BROKEN = 2,
};
struct tk_frame_envelope {
    int (*open)(struct tk_wire_frame *frame, struct tk_doc *tape,
                const struct tk_read_limits *limits, struct tk_arena *arena);
    void (*close)(struct tk_str json, struct tk_arena *arena, struct tk_str *ret_type,
                  struct tk_str *ret_payload);
};

/* A member that the output of a call or result copies if it is of that kind. */
struct tk_copied_member {
    struct tk_str name; /* `.p == NULL` ends the table */
    uint8_t kind;       /* enum tk_kind */
};

struct tk_block_format;
struct tk_turn_format;

struct tk_stream_format {
    const uint8_t *wires; /* enum tk_wire, the default first; ended by TK_WIRES */
    bool any_sse;         /* its events may leave as server-sent events from any wire */
    bool numbered; /* its events have numbers: a stream may be read on on another connection */
    /* The member of an event that is its type and the name of its frame. `.p == NULL`: events have no
     * type, and names of frames say nothing. */
    struct tk_str type;
    const struct tk_frame_envelope *envelope; /* NULL: {EVENT-TYPE: payload} */
    const struct tk_block_format *blocks;
    const struct tk_turn_format *turn; /* one of the two is NULL */
};

#endif
