/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams of formats with a decoder: what src/stream calls.
 *
 *     feed.c ──> events.c ── decoder ──> runs.c, calls.c, operations.c    outputs in `parts`
 *                   └── left.c                                            events as they came
 *     the end: turn_end.c
 */
#ifndef TK_STREAM_TURN_TURN_H
#define TK_STREAM_TURN_TURN_H

#include "stream/stream_inside.h"
#include "stream/turn/decoder.h"

/* Makes the turn of a stream whose format has a decoder. Returns 0 or -ENOMEM. */
int tk_turn_init(struct tk_stream *s);

/* Reads a frame. Returns 0, TK_FAILED or -ENOMEM. */
int tk_turn_frame(struct tk_work *k, struct tk_wire_frame *frame);

/* Reads one event. Returns 0, TK_FAILED or -ENOMEM. */
int tk_turn_event(struct tk_work *k, struct tk_val root, enum tk_wire_frame_kind kind);

/* Reads a whole response and ends the stream. Returns 0, TK_FAILED, -ENOMEM or
 * TK_STREAM_NO_RESPONSE. */
int tk_turn_response(struct tk_work *k, struct tk_val response);

/* Ends the stream; see tk_stream_conclude(). */
int tk_turn_conclude(struct tk_work *k, const struct tk_stream_error *cause);

/* Writes the further members of the error output. */
void tk_turn_error_members(struct tk_work *k);

/* Writes the members finish, error, message, seal and turn. */
void tk_turn_write_outcome(struct tk_work *k);

/* ---- between the files of this folder ---- */

/* Returns the turn, ready for the work of a request. */
static inline struct tk_stream_turn *tk_turn_of(struct tk_work *k)
{
    struct tk_stream_turn *t = k->s->turn;

    t->k = k;
    t->arena = k->arena;
    return t;
}

static inline bool tk_turn_tells_parts(const struct tk_stream_turn *t)
{
    return t->k->s->setup.form == TK_FORM_PARTS;
}

/* Returns the member `error` of the error output; absent if the event has none. */
static inline struct tk_val tk_turn_error_of(const struct tk_stream_turn *t, struct tk_val event)
{
    return t->format->error_of ? t->format->error_of(event) : tk_get(event, TK_STR("error"));
}

/* Begin and end an output: its index, and the choice if the format has several. */
void tk_turn_part_begin(struct tk_stream_turn *t, const char *type);
void tk_turn_part_end(struct tk_stream_turn *t, const struct tk_choice *choice, int64_t wire_index,
                      const struct tk_extra *extra);

/* Writes an event as it came, or lets it wait. */
void tk_turn_leave(struct tk_stream_turn *t, struct tk_val event);

/* Writes all events that wait. */
void tk_turn_leave_all(struct tk_stream_turn *t);

#endif
