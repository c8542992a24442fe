/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output as a list of pieces, ready for writev(): new bytes are copied into the arena, long spans
 * of a document are referred to and never copied. The pieces live as long as the arena and the
 * documents they refer to.
 *
 * Functions return no error: without memory the arena is marked as failed and bytes are missing.
 * Callers ask tk_arena_failed() before they use the output.
 */
#ifndef TK_VALUE_OUT_H
#define TK_VALUE_OUT_H

#include "value/arena.h"

/* Spans up to this size in bytes are copied: a piece of its own would cost more. */
#define TK_OUT_COPY_MAX 512

struct tk_out {
    struct tk_arena *arena;
    struct iovec *pieces;
    size_t count, capacity;
    char *at, *end;         /* free room for copied bytes */
    size_t size;            /* bytes of all pieces */
    size_t limit;           /* once `size` exceeds it, further bytes are dropped; 0: no limit */
    struct tk_str referred; /* spans of these bytes are never copied, also short ones */
};

/* True if the output exceeds its limit: bytes are missing, and it is of no use. */
static inline bool tk_out_is_full(const struct tk_out *out)
{
    return out->limit != 0 && out->size > out->limit;
}

/* Makes an empty output without a limit. */
void tk_out_init(struct tk_out *out, struct tk_arena *arena);

/* Appends a copy of n bytes. */
void tk_out_put(struct tk_out *out, const void *bytes, size_t n);

/* Appends bytes that live as long as the output: long ones are referred to, short ones copied. */
void tk_out_ref(struct tk_out *out, struct tk_str s);

/*
 * Appends n bytes for the caller to fill, now or later: they never move. NULL without memory, or if
 * the output exceeds its limit.
 */
void *tk_out_reserve(struct tk_out *out, size_t n);

/* Removes the last n bytes of what was just reserved. */
void tk_out_give_back(struct tk_out *out, size_t n);

/* Returns the whole output in one piece, in the arena; `.p == NULL` without memory. */
struct tk_str tk_out_join(struct tk_out *out);

#endif
