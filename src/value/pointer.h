/* SPDX-License-Identifier: Apache-2.0 */
/* JSON pointers (RFC 6901), keys unescaped, array indexes in decimal. */
#ifndef TK_VALUE_POINTER_H
#define TK_VALUE_POINTER_H

#include "value/doc.h"
#include "value/out.h"

/* The value a pointer names, or TK_NO_VAL. */
struct tk_val tk_pointer_get(struct tk_val root, struct tk_str pointer, struct tk_arena *arena);

/* The pointer to a node of its document, found by walking down from the root; linear in depth and
 * in the siblings in front. `prefix` goes in front. */
struct tk_str tk_pointer_of(struct tk_val v, struct tk_str prefix, struct tk_arena *arena);

/* One token, escaped ('~' as ~0, '/' as ~1) and with its slash, behind a pointer. */
struct tk_str tk_pointer_add(struct tk_str pointer, struct tk_str token, struct tk_arena *arena);

/* The same two, appended to an output: a token of text, an index. */
void tk_pointer_put(struct tk_out *out, struct tk_str token);
void tk_pointer_put_index(struct tk_out *out, uint32_t index);

#endif
