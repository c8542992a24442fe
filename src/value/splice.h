/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes inside a value, which give new encoded bytes: everything around a change is copied as it
 * is, so that key order, lexemes and white space stay. Results are in the arena; `.p == NULL`
 * without memory. New values are encoded in the codec of the document.
 */
#ifndef TK_VALUE_SPLICE_H
#define TK_VALUE_SPLICE_H

#include "value/writer.h"

/* ---- one change ---- */

/* Returns root's bytes with `target`, a value at any depth, replaced by one encoded value. */
struct tk_str tk_splice_replace(struct tk_arena *arena, struct tk_val root, struct tk_val target,
                                struct tk_str value);

/*
 * Returns root's bytes without `target`, a member or element of `parent`, which is a value at any
 * depth in root, or root itself.
 */
struct tk_str tk_splice_remove(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                               struct tk_val target);

/*
 * Returns root's bytes with one more member at the end of the object `parent`, which must not have
 * the key.
 */
struct tk_str tk_splice_add(struct tk_arena *arena, struct tk_val root, struct tk_val parent,
                            const char *key, struct tk_str value);

/* Returns an object's bytes without the members for which goes() returns true. It is called once for
 * each member, in order. */
struct tk_str tk_splice_without(struct tk_arena *arena, struct tk_val object,
                                bool (*goes)(const void *arg, struct tk_val member),
                                const void *arg);

/* ---- many at once ---- */

/* A range of a document's bytes and its replacement. */
struct tk_cut {
    size_t from, to; /* offsets; `to` is not included */
    struct tk_str with;
};

/* Returns the cut that replaces a value by another one, which is encoded already. */
struct tk_cut tk_cut_replace(struct tk_val target, struct tk_str value);

/*
 * Makes the cuts that remove a member or element from `parent`: msgpack needs a second one for the
 * count. Only one child of a parent may be removed. Returns how many cuts they are; 0 without
 * memory.
 */
size_t tk_cut_remove(struct tk_arena *arena, struct tk_val parent, struct tk_val target,
                     struct tk_cut ret[2]);

/*
 * Returns root's bytes with all cuts made. Cuts must not overlap and must come in the order of the
 * values that they change; they are sorted here by their bytes.
 */
struct tk_str tk_splice_cuts(struct tk_arena *arena, struct tk_val root, struct tk_cut *cuts,
                             size_t n);

/* ---- changes while writing: bytes that stay are referred to, not copied ---- */

/* Return root's bytes before, and after, a value that is inside it. */
struct tk_str tk_span_before(struct tk_val root, struct tk_val inside);
struct tk_str tk_span_after(struct tk_val root, struct tk_val inside);

/* A member and its new value, which write() writes: one value, with no key before it. */
struct tk_member_change {
    struct tk_str key;
    void (*write)(struct tk_writer *w, const void *arg);
    const void *arg;
};

/*
 * Writes an object with new values for some members; members that it doesn't have are added at its
 * end. The object is in the writer's codec, and each key has one change at most.
 */
void tk_write_with_changes(struct tk_writer *w, struct tk_val object,
                           const struct tk_member_change *changes, size_t n);

/* Writes an object with a new value for one member; the value is in the writer's codec, too. */
void tk_write_with_member(struct tk_writer *w, struct tk_val object, struct tk_str key,
                          struct tk_val value);

#endif
