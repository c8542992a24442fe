/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of a JSON patch (RFC 6902), written into a list that is open. All patches of this
 * program are written with these functions.
 *
 *     tk_patch_op(w, "add", path); tk_write_val(w, value); tk_write_end(w);
 *     tk_patch_remove(w, path);
 *     tk_patch_move(w, from, path);
 */
#ifndef TK_VALUE_PATCH_H
#define TK_VALUE_PATCH_H

#include "value/writer.h"

/* Begins an operation that has a value; the caller writes the value, then ends the map. */
void tk_patch_op(struct tk_writer *w, const char *op, struct tk_str path);

/* Begins the operation that sets the value at `path`; has_value: there is one to replace. */
static inline void tk_patch_set(struct tk_writer *w, bool has_value, struct tk_str path)
{
    tk_patch_op(w, has_value ? "replace" : "add", path);
}

/* Write a whole operation each. */
void tk_patch_remove(struct tk_writer *w, struct tk_str path);
void tk_patch_move(struct tk_writer *w, struct tk_str from, struct tk_str path);

#endif
