/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A document while a patch (RFC 6902) is applied to it, as a tree that remembers where each value
 * came from: a node is the value of a document until a patch works inside it, only then is it
 * opened. So what a patch left alone is known by its place in the document that was sent, and its
 * bytes are those that were sent.
 */
#ifndef TK_TESTS_RANDOM_PATCHED_H
#define TK_TESTS_RANDOM_PATCHED_H

#include "value/doc.h"

struct patched {
    struct tk_val from;     /* as sent, or as the patch gave it */
    struct patched **items; /* elements, or members; once open */
    struct tk_str *keys;    /* of members: their text */
    uint32_t count, capacity;
    bool open;
    bool touched; /* a patch changed something here or within */
};

struct patched *patched_new(struct tk_val root, struct tk_arena *arena);

/* Opens it, if it is a list or an object, and gives it back. */
struct patched *patched_open(struct patched *node, struct tk_arena *arena);

/* The member of an object, opening it; NULL where there is none. */
struct patched *patched_get(struct patched *node, const char *key, struct tk_arena *arena);

/* Gives a member of an object another name. */
void patched_rename(struct patched *node, const char *from, const char *to, struct tk_arena *arena);

/* False where an operation isn't one, or leads nowhere. */
bool patched_apply(struct patched *root, struct tk_val patch, struct tk_arena *arena);

/*
 * True if a value has the bytes that the patch kept and added. White space may differ between the
 * elements of a container that was touched, and everywhere down to depth `loose`. So may the order
 * of members that the patch added to one object.
 */
bool patched_is(struct patched *node, struct tk_val got, int loose, struct tk_arena *arena);

#endif
