/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a stream, for the files of this folder. They know events, blocks and results only in
 * the model of stream/event.h; how a provider writes them is in its struct tk_block_format.
 *
 *     feed.c:  bytes ── sse.c ──> frames ── frame.c, provider's format ──> events ──> handle.c
 *                                                                                   │ each event
 *              blocks, deltas: block.c   pairs: pair.c      inputs: input.c       <─┤
 *              outputs: emit_parts.c (emit_tools.c) or emit_events.c (emit_sse.c) <─┤
 *              the end: end.c, finish.c, message.c                                <─┘
 *
 * A stream keeps its data in its own arena. Its outputs are in the arena of the answer, which may
 * outlive the stream, so a kept value is copied when it leaves.
 */
#ifndef TK_STREAM_STREAM_INSIDE_H
#define TK_STREAM_STREAM_INSIDE_H

#include <errno.h>

#include "stream/block.h"
#include "stream/emit.h"
#include "stream/error.h"
#include "stream/finish.h"
#include "stream/memory.h"
#include "stream/operation.h"
#include "stream/repeat.h"
#include "stream/stream.h"
#include "stream/warning.h"
#include "stream/wire/reader.h"

/* Returned by functions that handle events: the stream has failed, and its error is recorded. */
#define TK_FAILED 1

enum tk_fed_with {
    TK_FED_NOTHING,
    TK_FED_EVENTS,
    TK_FED_BYTES,
};

struct tk_stream {
    struct tk_memory memory;
    struct tk_stream_setup setup;
    struct tk_arena arena;
    const struct tk_emitter *emitter;
    uint8_t state;    /* enum tk_stream_state */
    uint8_t fed_with; /* enum tk_fed_with */
    bool begun;       /* the message has started */
    bool over;        /* the message has stopped */
    bool client_call; /* a call of a client's tool has started */
    uint64_t fed;     /* bytes so far */
    struct tk_wire_reader wire;
    uint32_t frames; /* that left as bytes */
    struct tk_repeat repeat;
    struct tk_blocks blocks;
    struct tk_operations operations;
    struct tk_facts facts;
    struct tk_queue queue;       /* of the forms of events */
    struct tk_stream_turn *turn; /* of a format with a decoder; NULL: the members above are used */
    uint32_t warnings[TK_WARNING_COUNT];
    struct tk_stream_error error; /* of a failed stream; its strings are in error_arena */
    struct tk_arena error_arena;
};

/* The work of one request on a stream. */
struct tk_work {
    struct tk_stream *s;
    const struct tk_block_format *format;  /* of the provider's blocks; NULL: it has a decoder */
    struct tk_writer *w;                   /* the list of outputs is open in it */
    struct tk_arena *arena;                /* of the answer */
    struct tk_doc *event;                  /* tape of the frame being handled */
    struct tk_doc *first, *second, *third; /* tapes for values that are read again */
    const struct tk_stream_call *call;
};

static inline struct tk_work tk_work_on(const struct tk_stream_call *call, struct tk_stream *s)
{
    return (struct tk_work){
        .s = s,
        .format = s->setup.format->blocks,
        .w = call->w,
        .arena = call->arena,
        .event = &call->tapes[0],
        .first = &call->tapes[1],
        .second = &call->tapes[2],
        .third = &call->tapes[3],
        .call = call,
    };
}

/*
 * Ends the work of a request: a stream that is over keeps only what its outcome needs. `r`: what the
 * work returned. Returns 0, -ENOMEM, or the negative `r`.
 */
int tk_work_end(struct tk_work *k, int r);

/* Handles one event, whose shape is good. Returns 0, TK_FAILED or -ENOMEM. */
int tk_event_handle(struct tk_work *k, const struct tk_event *e);

/* Fails the stream with an error of one kind. Returns TK_FAILED. */
int tk_stream_fail(struct tk_work *k, const struct tk_stream_error *error);

/* Writes the error output of a stream that failed. */
void tk_write_error(struct tk_work *k);

static inline void tk_warn(struct tk_work *k, enum tk_warning warning)
{
    k->s->warnings[warning]++;
}

static inline struct tk_stream_block *tk_block_at(const struct tk_stream *s, uint32_t at)
{
    return s->blocks.all[at];
}

/* Returns the block's operation; NULL if it has none. */
static inline struct tk_operation *tk_block_operation(const struct tk_stream *s,
                                                      const struct tk_stream_block *b)
{
    return b->operation == TK_NONE ? NULL : &s->operations.all[b->operation];
}

static inline bool tk_block_is_abandoned(const struct tk_stream *s, const struct tk_stream_block *b)
{
    const struct tk_operation *op = tk_block_operation(s, b);

    return op && op->state == TK_OP_ABANDONED;
}

/*
 * Reads with one of the tapes what was read before: a kept value, from a copy in the answer's arena;
 * or bytes. Returns an absent value without memory; the arena is then marked as failed.
 */
struct tk_val tk_read_kept(struct tk_work *k, const struct tk_kept *kept, struct tk_doc *tape);
struct tk_val tk_read_again(struct tk_work *k, struct tk_str bytes, enum tk_codec codec,
                            struct tk_doc *tape);

/* Writes a kept value, or null. Uses the first tape. */
void tk_write_kept(struct tk_work *k, const struct tk_kept *kept);

/* ---- frame.c ---- */

enum {
    TK_FRAME_DROPPED = 2,
    TK_FRAME_PING = 3,
};

/* Takes an event out of the frame of an eventstream. Returns 0, TK_FRAME_DROPPED, TK_FAILED or
 * -ENOMEM. */
int tk_frame_unpack(struct tk_work *k, struct tk_wire_frame *frame);

/* Makes the data of a frame live as long as the answer; that of an eventstream is unpacked. */
static inline int tk_frame_open(struct tk_work *k, struct tk_wire_frame *frame)
{
    if (!frame->in_chunk)
        frame->data = tk_arena_dup(k->arena, frame->data);
    if (!frame->data.p)
        return -ENOMEM;
    return k->s->wire.wire == TK_WIRE_EVENTSTREAM ? tk_frame_unpack(k, frame) : 0;
}

/* Returns a frame's name; `.p == NULL` if it has none, or one that isn't UTF-8. */
struct tk_str tk_frame_name(enum tk_event_type type, struct tk_str name);

/*
 * Reads the data of a frame as an object, with the tape of events: compact, and typed by the frame's
 * name if it has no type. `type`: what the name says. Returns 0, TK_FRAME_DROPPED, TK_FRAME_PING,
 * TK_FAILED or -ENOMEM.
 */
int tk_frame_root(struct tk_work *k, const struct tk_wire_frame *frame, enum tk_event_type type,
                  struct tk_str name, struct tk_str data, struct tk_val *ret);

/* Reads a frame as an event of blocks, which refers to memory that lives as long as the answer.
 * Returns 0, TK_FRAME_DROPPED, TK_FAILED or -ENOMEM. */
int tk_frame_read(struct tk_work *k, struct tk_wire_frame *frame, struct tk_event *ret);

/* Ends the stream because its bytes can't be read. Returns what tk_stream_conclude() does. */
int tk_frame_undecodable(struct tk_work *k, const char *what);

/* ---- write_wire.c: events as bytes ---- */

/* Returns an event in the framing that the stream's form wants; `.p == NULL` without memory, and for
 * an event that can't be framed. */
struct tk_str tk_event_bytes(struct tk_work *k, struct tk_val root, enum tk_wire_frame_kind kind);

/* Write bytes as an output; as the member of one. Bytes with `.p == NULL` write nothing. */
void tk_write_bytes(struct tk_work *k, struct tk_str bytes);
void tk_write_bytes_member(struct tk_work *k, struct tk_str bytes);

/* Returns true if an event's type can't be the name of a frame: it could end the line. */
bool tk_has_control_character(struct tk_str type);

/* ---- pair.c: the rules of section 6 ---- */

/* Pairs a block that starts. Returns 0, TK_FAILED or -ENOMEM. */
int tk_pair_block_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_stream_block_view *view);

/* Returns the operation that a block completes by its stop; NULL if it completes none. */
struct tk_operation *tk_pair_block_stopped(struct tk_work *k, struct tk_stream_block *b);

/* ---- input.c ---- */

enum {
    TK_INPUT_REFUSED = 1,
};

/* Reads the text of an input, which must be a JSON object within the limits, without lone surrogates.
 * *ret: it is compact JSON in the stream's arena. Returns 0, -ENOMEM or TK_INPUT_REFUSED. */
int tk_input_parse(struct tk_work *k, struct tk_str text, struct tk_str *ret);

/* Finds the input of a call whose block stops. Returns 0, TK_FAILED or -ENOMEM. */
int tk_input_complete(struct tk_work *k, struct tk_stream_block *b);

/* Returns the input of a call, encoded in a codec; `.p == NULL` if the one in the block's start
 * stays. */
struct tk_str tk_input_encoded(struct tk_work *k, const struct tk_stream_block *b,
                               enum tk_codec codec);

/* Writes the member `input`, or the two members that replace an invalid one. `start`: the block as
 * it started. */
void tk_input_write(struct tk_work *k, const struct tk_stream_block *b, struct tk_val start);

/* ---- message.c ---- */

/* Returns a block with its deltas folded in, in a codec, read with the first tape; absent without
 * memory. */
struct tk_val tk_block_folded(struct tk_work *k, const struct tk_stream_block *b,
                              enum tk_codec codec);

/* Writes the members `message` and `seal`. */
void tk_message_write(struct tk_work *k);

/* ---- end.c: the rules of section 7 ---- */

/* Returns the ids of the operations that must not be without a result, *ret_n of them, in the arena.
 * NULL without memory. */
struct tk_str *tk_bad_operations(struct tk_work *k, bool excused, size_t *ret_n);

/* Applies rule 5: fails the stream with one error that names the n bad operations and the cause;
 * NULL: it has none. Returns TK_FAILED. */
int tk_fail_at_end(struct tk_work *k, const struct tk_stream_error *cause, const struct tk_str *ids,
                   size_t n);

/* Applies the rules of the end. `cause`: the error that ended the stream; NULL: it has none. Returns
 * 0, TK_FAILED or -ENOMEM. */
int tk_stream_conclude(struct tk_work *k, const struct tk_stream_error *cause);

#endif
