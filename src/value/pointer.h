/* SPDX-License-Identifier: Apache-2.0 */
/*
 * JSON pointers (RFC 6901): "/a/0" is the first element of member "a"; "" is the root. In a token
 * '~' is written ~0 and '/' is written ~1; keys are compared unescaped.
 */
#ifndef TK_VALUE_POINTER_H
#define TK_VALUE_POINTER_H

#include "value/doc.h"
#include "value/out.h"

/*
 * Returns the value that the pointer names; absent if there is none, if the pointer is malformed,
 * or without memory.
 */
struct tk_val tk_pointer_get(struct tk_val root, struct tk_str pointer, struct tk_arena *arena);

/*
 * Returns `prefix` and the pointer from the document's root to v, in the arena; `.p == NULL`
 * without memory. It walks down from the root, in time linear in the depth and the earlier
 * siblings. An absent v gives the prefix alone.
 */
struct tk_str tk_pointer_of(struct tk_val v, struct tk_str prefix, struct tk_arena *arena);

/*
 * Returns the pointer with one token more, a slash and the escaped text, in the arena; `.p == NULL`
 * without memory.
 */
struct tk_str tk_pointer_add(struct tk_str pointer, struct tk_str token, struct tk_arena *arena);

/* Append a slash and one token to an output: escaped text, or an index in decimal. */
void tk_pointer_put(struct tk_out *out, struct tk_str token);
void tk_pointer_put_index(struct tk_out *out, uint32_t index);

#endif
