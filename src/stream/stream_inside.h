/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a stream, for the files of this folder.
 *
 *     bytes ── sse.c ──> frames ── frame.c ──> events ── (provider's decoder) ──> stream.c
 *                                                                             │ per event
 *              blocks, deltas: block.c   pairs: pair.c      inputs: input.c <─┤
 *              outputs: emit_parts.c, or emit_events.c (and emit_sse.c)     <─┤
 *              the end: end.c, finish.c, message.c                          <─┘
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

/* Returned by handlers of events: the stream has failed, and its error is recorded. */
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
    bool begun;       /* message_start came */
    bool over;        /* message_stop came */
    bool client_call; /* a client call started */
    uint64_t fed;     /* bytes so far */
    struct tk_sse sse;
    struct tk_repeat repeat;
    struct tk_blocks blocks;
    struct tk_operations operations;
    struct tk_facts facts;
    struct tk_queue queue; /* of the forms of events */
    uint32_t warnings[TK_WARNING_COUNT];
    struct tk_stream_error error; /* where it failed; in an arena of its own */
    struct tk_arena error_arena;
};

/* One call's work on a stream. */
struct tk_work {
    struct tk_stream *s;
    struct tk_writer *w;                   /* the list of outputs is open in it */
    struct tk_arena *arena;                /* of the answer */
    struct tk_doc *event;                  /* tape of the frame being handled */
    struct tk_doc *first, *second, *third; /* tapes for what is read again */
    const struct tk_stream_call *call;
};

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
 * Reads what was read once before, with one of the tapes: a kept value from a copy in the answer's
 * arena, or bytes in memory already. Absent if memory ran out (the arena is marked as failed).
 */
struct tk_val tk_read_kept(struct tk_work *k, const struct tk_kept *kept, struct tk_doc *tape);
struct tk_val tk_read_again(struct tk_work *k, struct tk_str bytes, enum tk_codec codec,
                            struct tk_doc *tape);

/* Writes a kept value, or null. Uses the first tape. */
void tk_write_kept(struct tk_work *k, const struct tk_kept *kept);

/* ---- frame.c ---- */

/*
 * A frame as an event. Returns 0; TK_FRAME_DROPPED; TK_FAILED; or -ENOMEM. What the event refers to
 * lives as long as the answer.
 */
enum {
    TK_FRAME_DROPPED = 2,
};
int tk_frame_read(struct tk_work *k, const struct tk_sse_frame *frame, struct tk_event *ret);

/* ---- pair.c: the rules of section 6 ---- */

/* A block starts; v is the block. 0, TK_FAILED, -ENOMEM. */
int tk_pair_block_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_block_view *view);

/* It stops: completes its operation, or not. *ret_completed: the operation that it completed. */
struct tk_operation *tk_pair_block_stopped(struct tk_work *k, struct tk_stream_block *b);

/* ---- input.c ---- */

/* A call's block stops: what is its input? 0, TK_FAILED, -ENOMEM. */
int tk_input_complete(struct tk_work *k, struct tk_stream_block *b);

/* Returns the encoded input in a codec; `.p == NULL` if the start's own is right, or it is invalid.
 */
struct tk_str tk_input_encoded(struct tk_work *k, const struct tk_stream_block *b,
                               enum tk_codec codec);

/* Writes "input": {...}, or the two members that replace an invalid one. start: as read. */
void tk_input_write(struct tk_work *k, const struct tk_stream_block *b, struct tk_val start);

/* ---- message.c ---- */

/*
 * A block with its deltas folded in, encoded in a codec, in the answer's arena; read with the first
 * tape. Not there when there is no memory.
 */
struct tk_val tk_block_folded(struct tk_work *k, const struct tk_stream_block *b,
                              enum tk_codec codec);

/* Writes the members message and seal. */
void tk_message_write(struct tk_work *k);

/* ---- end.c ---- */

/* The end rules of section 7. `cause`: why the stream ended; NULL: a message_stop, or just the end.
 */
int tk_stream_conclude(struct tk_work *k, const struct tk_stream_error *cause);

#endif
