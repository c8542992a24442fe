/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that come in small pieces and are read once: a list of chunks whose sizes double, so that
 * growing never copies what is there. The zeroed struct is empty.
 */
#ifndef TK_STREAM_ROPE_H
#define TK_STREAM_ROPE_H

#include "value/arena.h"

struct tk_rope {
    struct tk_rope_chunk *first, *last;
    size_t n; /* bytes in all */
};

/* Appends. Where there is no memory the arena knows it. */
void tk_rope_put(struct tk_rope *rope, struct tk_arena *arena, struct tk_str s);

/* n bytes at the end that the caller fills, in one piece; `used` of them count. NULL: no memory. */
char *tk_rope_room(struct tk_rope *rope, struct tk_arena *arena, size_t n);
void tk_rope_took(struct tk_rope *rope, size_t used);

/* Copies all of it to a place of rope->n bytes. Returns the end. */
char *tk_rope_copy(const struct tk_rope *rope, char *to);

/* One piece in the arena, with `head` in front and `tail` behind. p NULL: no memory. */
struct tk_str tk_rope_join(const struct tk_rope *rope, struct tk_arena *arena, struct tk_str head,
                           struct tk_str tail);

#endif
