/* SPDX-License-Identifier: Apache-2.0 */
/* Merges the servers of a request by name. */
#include "operations/tools/tools_inside.h"

#include <errno.h>

static struct tk_str name_of(struct tk_val server, struct tk_arena *arena)
{
    struct tk_str name = tk_text(tk_get(server, TK_STR("name")), arena);

    return name.p ? name : TK_STR("");
}

/* Returns the slot of a server's name: its index in the list plus one, 0 if the name is new. NULL
 * if out of memory. */
static uint32_t *find(struct tk_tools_state *s, struct tk_map *names, struct tk_val server)
{
    bool is_new;

    return tk_map_put(names, name_of(server, s->in->arena), &is_new);
}

static int index_base(struct tk_tools_state *s, struct tk_map *names)
{
    struct tk_merged *m = &s->out->servers;

    tk_map_init(names, s->in->arena, s->in->hash_key);
    for (uint32_t i = 0; i < m->base_count; i++) {
        uint32_t *slot = find(s, names, m->list[i].val);

        if (!slot)
            return -ENOMEM;
        if (*slot == 0)
            *slot = i + 1;
    }
    return 0;
}

static void replace(struct tk_tools_state *s, uint32_t index, struct tk_val server)
{
    struct tk_merged *m = &s->out->servers;

    if (s->in->on_conflict == TK_TOOLS_KEEP_BASE) {
        tk_tools_note(s, TK_TOOLS_NOTE_ADDITION_IGNORED);
        return;
    }
    m->list[index].val = server;
    m->list[index].replaced = true;
    tk_tools_note(s, TK_TOOLS_NOTE_MCP_SERVER_REPLACED);
}

static int merge_one(struct tk_tools_state *s, struct tk_map *names, struct tk_val server)
{
    struct tk_merged *m = &s->out->servers;
    uint32_t *slot = find(s, names, server);

    if (!slot)
        return -ENOMEM;
    if (*slot > 0) {
        if (!tk_same_value(m->list[*slot - 1].val, server, s->in->arena))
            replace(s, *slot - 1, server);
        return 0;
    }
    m->list[m->count] = (struct tk_tool){.val = server};
    *slot = ++m->count;
    return 0;
}

int tk_tools_merge_servers(struct tk_tools_state *s)
{
    struct tk_val named = tk_tools_named_list(s, TK_STR("servers"));
    const char *list = s->out->servers_name;
    struct tk_val base = list ? tk_get(s->in->request, tk_str_of(list)) : TK_NO_VAL;
    struct tk_map names;
    int r = tk_merged_init(&s->out->servers, base, tk_count(named), s->in->arena);

    if (r == 0 && tk_exists(named))
        r = index_base(s, &names);
    for (struct tk_val v = tk_first(named); tk_exists(v) && r == 0; v = tk_after(named, v))
        if (tk_is(v, TK_OBJECT))
            r = merge_one(s, &names, v);
    return r;
}
