/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The canonical form of a value (OPERATIONS.md C.1): prefix-free bytes that don't depend on the
 * codec, the order of keys, white space or the spelling of strings. Digests are taken of it.
 *
 *     {"b": [1, 1.5, null], "a": "x"}   ->   {s1:as1:xs1:b[i1;d3ff8000000000000;n]}
 */
#ifndef TK_VALUE_CANONICAL_H
#define TK_VALUE_CANONICAL_H

#include "value/digest.h"
#include "value/doc.h"

/*
 * Receives the bytes, piece by piece. Without memory in the arena the walk ends early: callers ask
 * tk_arena_failed() before they use what was put.
 */
struct tk_canon {
    void (*put)(void *arg, const void *bytes, size_t n);
    void *arg;
    struct tk_arena *arena; /* scratch: sorted keys, unescaped strings */
};

/*
 * The parts of a value that are left out. All members may be NULL or empty. Lists of names end with a name
 * whose `p` is NULL; "own" members are those of the value itself, not of values inside it.
 */
struct tk_canon_rules {
    /* True for a member that is left out. outermost: it is an own member. */
    bool (*loses)(struct tk_val member, bool outermost);
    const struct tk_str *without; /* names of own members that are left out */
    const struct tk_str *only;    /* names of the own members that stay; NULL: all stay */
    struct tk_str whole;          /* inside a member of this name, at any depth, nothing is left
                                     out: loses() isn't asked */
    struct tk_str emptied;        /* the own member of this name counts as "" */
};

/* Puts the whole value, which must not have lone surrogates, bin, ext, NaN or infinities. */
void tk_canon_value(const struct tk_canon *c, struct tk_val v);

/* Puts a value without what `rules` leave out. */
void tk_canon_by(const struct tk_canon *c, struct tk_val v, const struct tk_canon_rules *rules);

/* Puts an object without its own members of these names. */
void tk_canon_without(const struct tk_canon *c, struct tk_val object, const struct tk_str *names);

/* Puts an object with no other own members than those of these names. */
void tk_canon_only(const struct tk_canon *c, struct tk_val object, const struct tk_str *names);

/* Return H(tag, canonical form) of a value, or of n values one after the other (C.1). */
struct tk_digest tk_value_digest(struct tk_str tag, struct tk_val v, struct tk_arena *arena);
struct tk_digest tk_values_digest(struct tk_str tag, const struct tk_val *values, size_t n,
                                  struct tk_arena *arena);

#endif
