/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/pairs/output.h"

#include "shapes/shape.h"

static void write_output(struct tk_writer *w, const struct tk_item_output *o)
{
    tk_write_key(w, "output");
    o->write_text(w, o->arg);
}

static void write_chunk(struct tk_writer *w, const struct tk_item_output *o)
{
    tk_write_key(w, "output");
    tk_write_list(w);
    tk_write_map(w);
    tk_write_kv_cstr(w, "stdout", "");
    tk_write_key(w, "stderr");
    o->write_text(w, o->arg);
    tk_write_key(w, "outcome");
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "exit");
    tk_write_kv_int(w, "exit_code", 1);
    tk_write_end(w);
    tk_write_end(w);
    tk_write_end(w);
}

static void write_nothing_found(struct tk_writer *w, const struct tk_item_output *o)
{
    (void)o;
    tk_write_kv_cstr(w, "execution", "client");
    tk_write_kv_cstr(w, "status", "completed");
    tk_write_key(w, "tools");
    tk_write_list(w);
    tk_write_end(w);
}

static void write_patch(struct tk_writer *w, const struct tk_item_output *o)
{
    tk_write_kv_cstr(w, "status", o->failed ? "failed" : "completed");
    if (!o->is_blank)
        write_output(w, o);
}

/* Writers of other members than the type and the id; NULL: the text is all there is. */
static void (*const writers[TK_ITEM_CALLS_END])(struct tk_writer *w,
                                                const struct tk_item_output *o) = {
    [TK_ITEM_SHELL_OUTPUT] = write_chunk,
    [TK_ITEM_SEARCH_OUTPUT] = write_nothing_found,
    [TK_ITEM_PATCH_OUTPUT] = write_patch,
};

void tk_write_item_output(struct tk_writer *w, const struct tk_item_output *o)
{
    struct tk_val id = tk_get(o->call, TK_STR("call_id"));
    bool by_call_id = tk_has_text(id);

    tk_write_map(w);
    tk_write_kv_str(w, "type", tk_items[o->row].type);
    tk_write_key(w, by_call_id ? "call_id" : "id");
    tk_write_any(w, by_call_id ? id : tk_get(o->call, TK_STR("id")));
    (writers[o->row] ? writers[o->row] : write_output)(w, o);
    tk_write_end(w);
}
