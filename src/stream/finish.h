/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the whole message (model, stop reason, usage), and the output `finish` made of them
 * (STREAM.md section 9). */
#ifndef TK_STREAM_FINISH_H
#define TK_STREAM_FINISH_H

#include "providers/event.h"
#include "stream/kept.h"

struct tk_work;

enum tk_counter_kind {
    TK_TOKENS_INPUT,
    TK_TOKENS_CACHE_CREATION,
    TK_TOKENS_CACHE_READ,
    TK_TOKENS_OUTPUT,
    TK_TOKENS,
};

/* One usage object. */
struct tk_usage {
    struct tk_kept whole;
    int64_t tokens[TK_TOKENS];
    bool has_output;
};

struct tk_facts {
    struct tk_str id;       /* `.p == NULL`: none */
    struct tk_kept wire_id; /* the id as encoded */
    struct tk_kept model, stop_sequence, stop_details, container;
    struct tk_str stop_reason; /* `.p == NULL`: none so far */
    struct tk_usage start, delta;
};

/* Takes what a message_start's message, or a message_delta says. */
void tk_facts_of_message(struct tk_facts *f, struct tk_val message, struct tk_arena *arena);
void tk_facts_of_delta(struct tk_facts *f, struct tk_val delta, struct tk_val usage,
                       struct tk_arena *arena);

/* Writes {"type": "finish", ...}. */
void tk_finish_write(struct tk_work *k);

#endif
