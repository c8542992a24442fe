/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes inside a value, as new encoded bytes: everything around a change is copied as it stands,
 * so key order, lexemes and white space survive.
 */
#ifndef TK_VALUE_SPLICE_H
#define TK_VALUE_SPLICE_H

#include "value/writer.h"

/* ---- one change ---- */

/* All three: root's bytes with the change made, in the arena; p NULL when there is no memory. */

/* `target`, a value at any depth in root, replaced by one encoded value. */
struct tk_str tk_splice_replace(struct tk_arena *arena, struct tk_val root, struct tk_val target,
                                struct tk_str value);

/* `target`, a member or element of `parent` (at any depth in root, or root itself), taken out. */
struct tk_str tk_splice_remove(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                               struct tk_val target);

/* A member put at the end of the object `parent`, which has none of that key. The key is plain. */
struct tk_str tk_splice_add(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                            const char *key, struct tk_str value);

/* An object's bytes without the members of which goes() says so, which is asked once about each;
 * p NULL without memory. */
struct tk_str tk_splice_without(struct tk_arena *arena, struct tk_val object,
                                bool (*goes)(const void *arg, struct tk_val member),
                                const void *arg);

/* ---- many at once ---- */

/* Bytes of a document, by offset, and what comes in their place. */
struct tk_cut {
    size_t from, to;
    struct tk_str with;
};

struct tk_cut tk_cut_replace(struct tk_val target, struct tk_str value);

/*
 * Takes out a member or element; no other of the same parent may go with it. Returns how many cuts
 * it takes; 0 when there is no memory.
 */
size_t tk_cut_remove(struct tk_arena *arena, struct tk_val parent, struct tk_val target,
                     struct tk_cut ret[2]);

/* root's bytes with all of them made. They don't overlap, and stand in the order of the places that
 * they are about; they are put in that of their bytes. */
struct tk_str tk_splice_cuts(struct tk_arena *arena, struct tk_val root, struct tk_cut *cuts,
                             size_t n);
/* ---- the same on its way out: what stays is referred to, not copied ---- */

/* A value's bytes in front of a value inside it, and behind that. */
struct tk_str tk_span_before(struct tk_val root, struct tk_val inside);
struct tk_str tk_span_after(struct tk_val root, struct tk_val inside);

/* A member's new value. */
struct tk_member_change {
    struct tk_str key;
    void (*write)(struct tk_writer *w, const void *arg);
    const void *arg;
};

/* Writes an object with other values for some members: in the places of those that it has, else
 * at its end. Object and writer are of one codec; no two changes have one key. */
void tk_write_with_changes(struct tk_writer *w, struct tk_val object,
                           const struct tk_member_change *changes, size_t n);

/* The same for one member and a value of that codec. */
void tk_write_with_member(struct tk_writer *w, struct tk_val object, struct tk_str key,
                          struct tk_val value);

#endif
