/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text that comes in small pieces and is read once: a list of chunks whose sizes double, so that
 * growing never copies earlier text. The zeroed struct is empty.
 */
#ifndef TK_STREAM_PIECES_H
#define TK_STREAM_PIECES_H

#include "value/arena.h"

struct tk_pieces {
    struct tk_pieces_chunk *first, *last;
    size_t n; /* bytes in all */
};

/* Appends text. Without memory the arena is marked as failed. */
void tk_pieces_put(struct tk_pieces *pieces, struct tk_arena *arena, struct tk_str s);

/*
 * Returns n bytes at the end for the caller to fill, NULL without memory; tk_pieces_took() tells
 * how many of them it used.
 */
char *tk_pieces_room(struct tk_pieces *pieces, struct tk_arena *arena, size_t n);
void tk_pieces_took(struct tk_pieces *pieces, size_t used);

/* Copies all of it to `to`, which has room for pieces->n bytes. Returns the end of the copy. */
char *tk_pieces_copy(const struct tk_pieces *pieces, char *to);

/* Joins `head`, all pieces and `tail` in the arena. Returns `.p == NULL` without memory. */
struct tk_str tk_pieces_join(const struct tk_pieces *pieces, struct tk_arena *arena,
                             struct tk_str head, struct tk_str tail);

#endif
