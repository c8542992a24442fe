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

/* Reads one message, which may be anywhere in its document. Otherwise like tk_transcript_read(). */
int tk_transcript_read_message(struct tk_transcript *t, struct tk_val message,
                               const struct tk_shape *shape, struct tk_arena *arena,
                               const uint64_t *hash_key);

/* Reads one assistant turn, given its list of content. Returns 0 or -ENOMEM. A turn of a shape with
 * `turns_are_lists` is read as a history, whose pointers begin with /content. */
int tk_transcript_read_turn(struct tk_transcript *t, struct tk_val content,
                            const struct tk_shape *shape, struct tk_arena *arena,
                            const uint64_t *hash_key);

/*
 * Read the parts of a message's content, or of its list of calls, from the message's own bytes: the
 * content's as its first parts, the calls' as its last. flags: TK_PART_* of the parts; with
 * TK_PART_MADE they weren't sent. A string is one text part, an empty string is no part. Return 0 or
 * -ENOMEM.
 */
int tk_read_content(struct tk_transcript *t, uint32_t message, uint32_t flags);
int tk_read_calls(struct tk_transcript *t, uint32_t message, uint32_t flags);

#endif
