/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canonical form of a value (OPERATIONS.md C.1): prefix-free bytes that are the same whatever
 * codec, key order, white space or spelling of strings the value came in. Digests are taken of it.
 *
 *     {"b": [1, 1.5, null], "a": "x"}   ->   {s1:as1:xs1:b[i1;d3ff8000000000000;n]}
 */
#ifndef TK_VALUE_CANONICAL_H
#define TK_VALUE_CANONICAL_H

#include "value/digest.h"
#include "value/doc.h"

/* Where the bytes go, piece by piece. */
struct tk_canon {
    void (*put)(void *arg, const void *bytes, size_t n);
    void *arg;
    struct tk_arena *arena; /* scratch: sorted keys, unescaped strings */
};

/* What of a value doesn't count. All members may be NULL. */
struct tk_canon_rules {
    /* True for a member that is left out. outermost: it is one of the value itself. */
    bool (*loses)(struct tk_val member, bool outermost);
    const struct tk_str *without; /* names of the value's own members that are left out, ended by
                                     p NULL */
    const struct tk_str *only;    /* names of all of its own members that stay; NULL: all stay */
    struct tk_str whole;          /* in a member of this name, at any depth, loses() isn't asked */
    struct tk_str emptied;        /* the value's own member of this name counts as "" */
};

/* Puts the whole value. Strings hold no lone surrogate and the value nothing that JSON can't hold.
 */
void tk_canon_value(const struct tk_canon *c, struct tk_val v);

/* Puts a value without what `rules` leave out. */
void tk_canon_by(const struct tk_canon *c, struct tk_val v, const struct tk_canon_rules *rules);

/* Puts an object without its own members of these names, ended by p NULL. */
void tk_canon_without(const struct tk_canon *c, struct tk_val object, const struct tk_str *names);

/* Puts an object with no other members of its own than those. */
void tk_canon_only(const struct tk_canon *c, struct tk_val object, const struct tk_str *names);

/* Returns H(tag, canonical form) of a value, or of several one after the other. */
struct tk_digest tk_value_digest(struct tk_str tag, struct tk_val v, struct tk_arena *arena);
struct tk_digest tk_values_digest(struct tk_str tag, const struct tk_val *values, size_t n,
                                  struct tk_arena *arena);

#endif
