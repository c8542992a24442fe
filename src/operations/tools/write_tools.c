/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the outcome. Unchanged entries keep their bytes; a patch doesn't contain them. */
#include "operations/tools/tools.h"
#include "value/patch.h"

#include <inttypes.h>

static const char *const note_names[] = {
#define NOTE_NAME(id, text) [TK_TOOLS_NOTE_##id] = text,
    TK_TOOLS_NOTES(NOTE_NAME)
#undef NOTE_NAME
};

void tk_tools_write_notes(struct tk_writer *w, const struct tk_tools *t)
{
    tk_write_list(w);
    for (size_t i = 0; i < TK_TOOLS_NOTE_COUNT; i++)
        if (t->notes & 1u << i)
            tk_write_cstr(w, note_names[i]);
    tk_write_end(w);
}

void tk_tools_write_list(struct tk_writer *w, const struct tk_merged *m)
{
    if (!m->changed && tk_is(m->base, TK_ARRAY)) {
        tk_write_val(w, m->base);
        return;
    }
    tk_write_list(w);
    for (uint32_t i = 0; i < m->count; i++)
        if (!m->list[i].dropped)
            tk_write_val(w, m->list[i].val);
    tk_write_end(w);
}

void tk_tools_write_new_servers(struct tk_writer *w, const struct tk_tools *t)
{
    const struct tk_merged *m = &t->servers;

    tk_write_list(w);
    for (uint32_t i = 0; i < m->count; i++)
        if (i >= m->base_count || m->list[i].replaced)
            tk_write_val(w, m->list[i].val);
    tk_write_end(w);
}

/* ---- the patch ---- */

/* Writes operations on the base's entries. Each index is that of the list after the operations
 * before it. */
static void write_base_operations(struct tk_writer *w, const struct tk_merged *m, const char *name)
{
    uint32_t index = 0;

    for (uint32_t i = 0; i < m->base_count; i++) {
        const struct tk_tool *tool = &m->list[i];

        if (tool->dropped || tool->replaced) {
            struct tk_str at = tk_arena_printf(w->out->arena, "/%s/%" PRIu32, name, index);

            if (tool->dropped) {
                tk_patch_remove(w, at);
            } else {
                tk_patch_op(w, "replace", at);
                tk_write_val(w, tool->val);
                tk_write_end(w);
            }
        }
        index += !tool->dropped;
    }
}

static void write_operations(struct tk_writer *w, const struct tk_merged *m, const char *name)
{
    if (!m->changed)
        return;
    if (!tk_is(m->base, TK_ARRAY)) {
        tk_patch_set(w, tk_exists(m->base), tk_arena_printf(w->out->arena, "/%s", name));
        tk_tools_write_list(w, m);
        tk_write_end(w);
        return;
    }
    write_base_operations(w, m, name);
    for (uint32_t i = m->base_count; i < m->count; i++) {
        tk_patch_op(w, "add", tk_arena_printf(w->out->arena, "/%s/-", name));
        tk_write_val(w, m->list[i].val);
        tk_write_end(w);
    }
}

void tk_tools_write_operations(struct tk_writer *w, const struct tk_tools *t)
{
    write_operations(w, &t->tools, "tools");
    write_operations(w, &t->servers, t->servers_name);
}
