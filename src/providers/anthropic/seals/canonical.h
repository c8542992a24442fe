/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canonical form of a value (OPERATIONS.md C.1): prefix-free bytes that are the same whatever
 * codec, key order, white space or spelling of strings the value came in. Digests are taken of it.
 *
 *     {"b": [1, 1.5, null], "a": "x"}   ->   {s1:as1:xs1:b[i1;d3ff8000000000000;n]}
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_CANONICAL_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_CANONICAL_H

#include "value/doc.h"

/* Where the bytes go, piece by piece. */
struct tk_canon {
    void (*put)(void *arg, const void *bytes, size_t n);
    void *arg;
    struct tk_arena *arena; /* scratch: sorted keys, unescaped strings */
};

/* The whole value. Strings hold no lone surrogate and the value nothing that JSON can't hold. */
void tk_canon_value(const struct tk_canon *c, struct tk_val v);

/*
 * A content block as digests see it, without what doesn't belong to what the provider said: cache
 * markers at any depth but inside `input`, members that are null, and `caller` where it says
 * "direct". A string is the text block that it stands for.
 */
void tk_canon_block(const struct tk_canon *c, struct tk_val block);

/* A block as if its member of that name were the empty string; where it has none: as it is. */
void tk_canon_block_emptied(const struct tk_canon *c, struct tk_val block, struct tk_str member);

/* An object without members of these names, ended by p NULL; only at its own level. */
void tk_canon_without(const struct tk_canon *c, struct tk_val object, const struct tk_str *names);

/* An object with no other members than those. */
void tk_canon_only(const struct tk_canon *c, struct tk_val object, const struct tk_str *names);

#endif
