/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outputs (STREAM.md section 8). A stream tells its emitter what happens; each form of outputs has an
 * emitter, which writes outputs in that form. Functions may be NULL: nothing is written then.
 */
#ifndef TK_STREAM_EMIT_H
#define TK_STREAM_EMIT_H

#include "stream/block.h"

struct tk_work;
struct tk_operation;
struct tk_stream_error;

struct tk_emitter {
    /* Called after block_started() and block_stopped() of the blocks that the message contains. */
    void (*message_started)(struct tk_work *k, const struct tk_event *e);
    /* v: the block as it started. Here and below e == NULL if the message contained the block at its
     * start. */
    void (*block_started)(struct tk_work *k, struct tk_stream_block *b, struct tk_val v,
                          const struct tk_event *e);
    void (*delta)(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e);
    void (*ignored_delta)(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e);
    void (*block_stopped)(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e);
    void (*completed)(struct tk_work *k, const struct tk_operation *op);
    /* Called after all that an event does: what waited for it may leave. */
    void (*settled)(struct tk_work *k);
    void (*message_delta)(struct tk_work *k, const struct tk_event *e);
    void (*ping)(struct tk_work *k);
    void (*unknown_event)(struct tk_work *k, const struct tk_event *e);
    /* Called at an excused end, for each call without a result; then excused(). */
    void (*deferred)(struct tk_work *k, const struct tk_operation *op);
    void (*excused)(struct tk_work *k);
    /* Called at a good end, then message_stopped(). */
    void (*finished)(struct tk_work *k);
    void (*message_stopped)(struct tk_work *k, const struct tk_event *e);
    /* Writes further members of the error output. */
    void (*error_members)(struct tk_work *k, const struct tk_stream_error *error);
};

/* Copies members of a block that a table lists, if they are of the kind it says. */
void tk_write_copied(struct tk_work *k, const struct tk_copied_member *members, struct tk_val v);

/* Writes an output `source`, without its end. call_id: `.p == NULL`: of no call. */
void tk_write_source(struct tk_work *k, const struct tk_stream_source_view *source,
                     struct tk_str call_id);

extern const struct tk_emitter tk_emit_parts, tk_emit_events, tk_emit_sse;

/* ---- what the two forms of events share (emit_events.c, emit_sse.c) ---- */

/* The queue: events that wait, and the blocks that may leave next. */
struct tk_queue {
    uint32_t head;        /* the first block that hasn't left */
    uint32_t scan, until; /* blocks [head, until) leave together; those before scan may */
    uint32_t prefilled;   /* blocks in the start of the message; they leave as one */
    uint32_t left;        /* blocks that left: the next one's index */
    bool live;            /* the head is leaving, event by event */
    struct tk_kept start; /* the event that starts the message, while it waits */
    struct tk_waiting *first_end, *last_end; /* deltas of the message */
};

#endif
