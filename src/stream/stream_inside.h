/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a stream, for the files of this folder. They know events, blocks and results only in
 * the model of providers/event.h; how a provider writes them is in its struct tk_stream_format.
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

#include "stream/block.h"
#include "stream/emit.h"
#include "stream/error.h"
#include "stream/finish.h"
#include "stream/memory.h"
#include "stream/operation.h"
#include "stream/repeat.h"
#include "stream/sse.h"
#include "stream/stream.h"
#include "stream/warning.h"

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
    struct tk_sse sse;
    struct tk_repeat repeat;
    struct tk_blocks blocks;
    struct tk_operations operations;
    struct tk_facts facts;
    struct tk_queue queue; /* of the forms of events */
    uint32_t warnings[TK_WARNING_COUNT];
    struct tk_stream_error error; /* of a failed stream; its strings are in error_arena */
    struct tk_arena error_arena;
};

/* The work of one request on a stream. */
struct tk_work {
    struct tk_stream *s;
    const struct tk_stream_format *format; /* of the provider */
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
        .format = s->setup.format,
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
};

/* Reads a frame as an event, which refers to memory that lives as long as the answer. Returns 0,
 * TK_FRAME_DROPPED, TK_FAILED or -ENOMEM. */
int tk_frame_read(struct tk_work *k, const struct tk_sse_frame *frame, struct tk_event *ret);

/* ---- pair.c: the rules of section 6 ---- */

/* Pairs a block that starts. Returns 0, TK_FAILED or -ENOMEM. */
int tk_pair_block_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_stream_block_view *view);

/* Returns the operation that a block completes by its stop; NULL if it completes none. */
struct tk_operation *tk_pair_block_stopped(struct tk_work *k, struct tk_stream_block *b);

/* ---- input.c ---- */

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

/* Applies the rules of the end. `cause`: the error that ended the stream; NULL: it has none. Returns
 * 0, TK_FAILED or -ENOMEM. */
int tk_stream_conclude(struct tk_work *k, const struct tk_stream_error *cause);

#endif
