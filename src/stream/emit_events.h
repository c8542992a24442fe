/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The forms `events` and `sse` (STREAM.md 8.2, 8.3). In both, events leave in the same order; they
 * differ in how one event is written.
 */
#ifndef TK_STREAM_EMIT_EVENTS_H
#define TK_STREAM_EMIT_EVENTS_H

#include "stream/stream_inside.h"

/* Writes one event as an output. */
typedef void tk_write_event(struct tk_work *k, struct tk_val root);

void tk_write_event_value(struct tk_work *k, struct tk_val root);
void tk_write_event_frame(struct tk_work *k, struct tk_val root);

/* Write the further members of an error output: the provider's own error, or one made from ours; for
 * `sse` also the frame. */
void tk_write_error_object(struct tk_work *k, const struct tk_stream_error *error);
void tk_write_error_frame(struct tk_work *k, const struct tk_stream_error *error);

#endif
