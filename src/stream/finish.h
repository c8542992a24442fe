/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the whole message (model, stop reason, usage), and the output `finish` made of them
 * (STREAM.md section 9). */
#ifndef TK_STREAM_FINISH_H
#define TK_STREAM_FINISH_H

#include "stream/block_format.h"
#include "stream/kept.h"

struct tk_stream;
struct tk_work;

/* One object of token counters. */
struct tk_usage {
    struct tk_kept whole;
    int64_t tokens[TK_TOKENS];
    bool has_output;
};

struct tk_facts {
    struct tk_str id;       /* of the message; `.p == NULL`: it has none */
    struct tk_kept wire_id; /* the id as encoded */
    struct tk_kept model, stop_sequence, stop_details, container;
    struct tk_str stop_reason;    /* `.p == NULL`: none so far */
    struct tk_usage start, delta; /* of the event that started the message; of the last delta */
};

/* Takes the facts that a start or a delta of the message brings. */
void tk_facts_take(struct tk_facts *f, const struct tk_block_format *format,
                   const struct tk_event *e, struct tk_arena *arena);

/* Returns true if the stop reason excuses calls without a result. */
bool tk_is_excused(const struct tk_stream *s);

/* Returns a counter's value; 0 if it isn't an integer from 0 to 2^53. */
int64_t tk_tokens_of(struct tk_val v);

/* Writes {"type": "finish", ... up to the members that every provider's finish has, and its counters
 * without the end of `usage`. */
void tk_finish_begin(struct tk_work *k, enum tk_finish_reason reason, struct tk_str stop_reason);
void tk_finish_tokens(struct tk_work *k, const int64_t *tokens, int64_t total);

/* Returns a reason's name. */
const char *tk_finish_reason_name(enum tk_finish_reason reason);

/* Writes {"type": "finish", ...}. */
void tk_finish_write(struct tk_work *k);

#endif
