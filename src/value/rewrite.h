/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A new version of a value, written as a whole and told as changes of the old version's bytes:
 *
 *     struct tk_rewrite r;
 *
 *     tk_rewrite_begin(&r, old, NULL, arena);
 *     tk_write_with_changes(&r.w, old, changes, n);    the new version, one value
 *     tk_rewrite_write(&r, answer, "splices");         "splices": [[offset, length, text], ...]
 *
 * Bytes of the old version that the new one refers to (out.h) stay where they are if their order
 * allows it; only what is written around them is compared with what it replaces. Nothing else is
 * looked at, so the time depends on the number of changes and their sizes alone.
 */
#ifndef TK_VALUE_REWRITE_H
#define TK_VALUE_REWRITE_H

#include "value/writer.h"

struct tk_rewrite {
    struct tk_writer w; /* writes the new version, in the codec of the old one */
    /* for rewrite.c */
    struct tk_out out;
    struct tk_str old;                /* bytes of the old version */
    const struct tk_rewrite *earlier; /* it made the old version; NULL: that was received */
    size_t *starts;                   /* once joined: offset of each piece of `out` */
};

/*
 * Begins the new version of `old`, whose document outlives it. If `old` is itself what another rewrite
 * made with tk_rewrite_join(), `earlier` is that one, and the changes will be those of its old
 * version. The writer refers to *r, which must stay where it is.
 */
void tk_rewrite_begin(struct tk_rewrite *r, struct tk_val old, const struct tk_rewrite *earlier,
                      struct tk_arena *arena);

/* Returns the new version in one piece, in the arena; `.p == NULL` without memory. */
struct tk_str tk_rewrite_join(struct tk_rewrite *r);

/*
 * JSON: writes a member with the changes, each a list of an offset into the bytes of the old version,
 * the number of bytes to replace there and the text that replaces them. They are in ascending order,
 * don't overlap and change whole characters. Writes nothing if both versions have the same bytes.
 */
void tk_rewrite_write(const struct tk_rewrite *r, struct tk_writer *w, const char *key);

#endif
