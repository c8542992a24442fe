/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ranges of one text in the order in which another text repeats them. Ranges that overlap, or come
 * in another order than in the first text, can't all stay where they are: this chooses those that do.
 */
#ifndef TK_VALUE_ASCENDING_H
#define TK_VALUE_ASCENDING_H

#include "value/arena.h"

struct tk_range {
    size_t from, n; /* offset and size in bytes; n is positive */
    bool stays;     /* set by tk_choose_ascending() */
};

/*
 * Sets `stays` of the ranges that stay: each begins at or after the end of the one before it that
 * stays, and no other choice has more bytes. Time is linear if all of them can stay, else n log n.
 * Without memory none stays, which the arena tells (tk_arena_failed()).
 */
void tk_choose_ascending(struct tk_range *ranges, size_t n, struct tk_arena *arena);

#endif
