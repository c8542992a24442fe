/* SPDX-License-Identifier: Apache-2.0 */
#include "value/patch.h"

static void begin(struct tk_writer *w, const char *op)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "op", op);
}

void tk_patch_op(struct tk_writer *w, const char *op, struct tk_str path)
{
    begin(w, op);
    tk_write_kv_str(w, "path", path);
    tk_write_key(w, "value");
}

void tk_patch_remove(struct tk_writer *w, struct tk_str path)
{
    begin(w, "remove");
    tk_write_kv_str(w, "path", path);
    tk_write_end(w);
}

void tk_patch_move(struct tk_writer *w, struct tk_str from, struct tk_str path)
{
    begin(w, "move");
    tk_write_kv_str(w, "from", from);
    tk_write_kv_str(w, "path", path);
    tk_write_end(w);
}
