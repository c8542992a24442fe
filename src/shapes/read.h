/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a document into a transcript (history/history.h), as its shape describes. */
#ifndef TK_SHAPES_READ_H
#define TK_SHAPES_READ_H

#include "shapes/shape.h"

/*
 * Reads a list of messages. Every element must be an object, and so must every element of a content
 * that is a list: the check of parameters ensures both. Returns 0 or -ENOMEM. Allocates in the
 * arena.
 */
int tk_transcript_read(struct tk_transcript *t, struct tk_val messages,
                       const struct tk_shape *shape, struct tk_arena *arena,
                       const uint64_t *hash_key);

/* Reads the first `count` messages of the list, or all if it has fewer. Otherwise like
 * tk_transcript_read(). */
int tk_transcript_read_first(struct tk_transcript *t, struct tk_val messages, uint32_t count,
                             const struct tk_shape *shape, struct tk_arena *arena,
                             const uint64_t *hash_key);

/* Reads one assistant turn, given its list of content. Returns 0 or -ENOMEM. */
int tk_transcript_read_turn(struct tk_transcript *t, struct tk_val content,
                            const struct tk_shape *shape, struct tk_arena *arena,
                            const uint64_t *hash_key);

#endif
