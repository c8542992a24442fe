/* SPDX-License-Identifier: Apache-2.0 */
/* Anthropic's events: functions of struct tk_block_format, which says what each does. */
#ifndef TK_PROVIDERS_ANTHROPIC_STREAM_EVENTS_H
#define TK_PROVIDERS_ANTHROPIC_STREAM_EVENTS_H

#include "stream/block_format.h"

/* ---- events.c ---- */

enum tk_event_type tk_anthropic_event_type(struct tk_str name);
int tk_anthropic_read_event(struct tk_val root, struct tk_arena *arena, struct tk_event *ret);
void tk_anthropic_read_facts(const struct tk_event *e, struct tk_stream_facts_view *ret);
void tk_anthropic_read_error(const struct tk_event *e, struct tk_stream_error_view *ret);
bool tk_anthropic_is_error(struct tk_val response);

/* ---- made_events.c ---- */

void tk_anthropic_write_start(struct tk_writer *w, struct tk_val response);
void tk_anthropic_write_error(struct tk_writer *w, bool retryable, struct tk_str text);
void tk_anthropic_write_error_event(struct tk_writer *w, bool retryable, struct tk_str text);
void tk_anthropic_begin_message(struct tk_writer *w);
void tk_anthropic_end_message(struct tk_writer *w);

#endif
