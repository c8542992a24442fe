/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a document into a transcript (history/history.h), as the shape says. */
#ifndef TK_SHAPES_READ_H
#define TK_SHAPES_READ_H

#include "shapes/shape.h"

/*
 * Reads a list of messages; every element must be an object and every element of a list content,
 * too (the parameter check sees to that). Returns 0 or -ENOMEM. Everything is in the arena.
 */
int tk_transcript_read(struct tk_transcript *t, struct tk_val messages,
                       const struct tk_shape *shape, struct tk_arena *arena,
                       const uint64_t *hash_key);

/* Reads the first `count` messages of the list, or all if there are fewer. Else as
 * tk_transcript_read(). */
int tk_transcript_read_first(struct tk_transcript *t, struct tk_val messages, uint32_t count,
                             const struct tk_shape *shape, struct tk_arena *arena,
                             const uint64_t *hash_key);

/* One assistant turn from its content list. */
int tk_transcript_read_turn(struct tk_transcript *t, struct tk_val content,
                            const struct tk_shape *shape, struct tk_arena *arena,
                            const uint64_t *hash_key);

#endif
