/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that come in small pieces and are read once: a list of chunks whose sizes double, so that
 * growing never copies what is there. The zeroed struct is empty.
 */
#ifndef TK_STREAM_PIECES_H
#define TK_STREAM_PIECES_H

#include "value/arena.h"

struct tk_pieces {
    struct tk_pieces_chunk *first, *last;
    size_t n; /* bytes in all */
};

/* Appends. Where there is no memory the arena knows it. */
void tk_pieces_put(struct tk_pieces *pieces, struct tk_arena *arena, struct tk_str s);

/* n bytes at the end that the caller fills, in one piece; `used` of them count. NULL: no memory. */
char *tk_pieces_room(struct tk_pieces *pieces, struct tk_arena *arena, size_t n);
void tk_pieces_took(struct tk_pieces *pieces, size_t used);

/* Copies all of it to a place of pieces->n bytes. Returns the end. */
char *tk_pieces_copy(const struct tk_pieces *pieces, char *to);

/* One piece in the arena, with `head` in front and `tail` behind. p NULL: no memory. */
struct tk_str tk_pieces_join(const struct tk_pieces *pieces, struct tk_arena *arena,
                             struct tk_str head, struct tk_str tail);

#endif
