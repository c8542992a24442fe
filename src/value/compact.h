/* SPDX-License-Identifier: Apache-2.0 */
/* A value as compact JSON text, whichever codec its document is in. */
#ifndef TK_VALUE_COMPACT_H
#define TK_VALUE_COMPACT_H

#include "value/doc.h"
#include "value/out.h"

/*
 * Appends v as JSON on one line: without white space outside strings, tokens as they are spelled.
 * msgpack values are written as JSON: integers in decimal, floats in the shortest form that reads
 * back as the same number, bin, ext, NaN and infinities as null. Long tokens are referred to, not
 * copied, so the document must outlive the output. Members for which `skip` returns true are left
 * out; it may be NULL. Without memory the arena is marked as failed.
 */
void tk_compact_json(struct tk_out *out, struct tk_val v,
                     bool (*skip)(struct tk_val member, struct tk_arena *arena));

/* Returns how many bytes tk_compact_json() writes for a value that exists, without writing them. */
size_t tk_compact_size(struct tk_val v);

/* Returns how many bytes the key of a member has there, with the colon. */
size_t tk_compact_key_size(struct tk_val member);

#endif
