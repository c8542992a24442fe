/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output as a list of pieces, ready for writev(): what is new is copied into the arena, long
 * spans of a document are referred to and never copied.
 */
#ifndef TK_VALUE_OUT_H
#define TK_VALUE_OUT_H

#include "value/arena.h"

/* Spans up to this size are copied: a piece of its own would cost more. */
#define TK_OUT_COPY_MAX 512

struct tk_out {
    struct tk_arena *arena;
    struct iovec *pieces;
    size_t count, capacity;
    char *at, *end; /* room behind the last piece, if that is a copied one */
    size_t size;    /* bytes in all */
    size_t limit;   /* what is put when they are more already is left out; 0: there is none */
};

/* Whether the output is over its limit: it is then not whole, and of no use. */
static inline bool tk_out_is_full(const struct tk_out *out)
{
    return out->limit != 0 && out->size > out->limit;
}

void tk_out_init(struct tk_out *out, struct tk_arena *arena);

/* Copies n bytes to the end. */
void tk_out_put(struct tk_out *out, const void *bytes, size_t n);

/* Puts bytes that live as long as the output: referred to when long. */
void tk_out_ref(struct tk_out *out, struct tk_str s);

/*
 * n bytes at the end that the caller fills now or later: their place never moves.
 * NULL when there is no memory, or the output is full.
 */
void *tk_out_reserve(struct tk_out *out, size_t n);

/* Gives back the last n bytes of what was just reserved. */
void tk_out_give_back(struct tk_out *out, size_t n);

/* The whole output in one piece, in the arena. */
struct tk_str tk_out_join(struct tk_out *out);

#endif
