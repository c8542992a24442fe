/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes all tools asked for by name as one small document in the request's codec. The rest of the
 * merge then reads them like received entries; one document is enough for any number of tools.
 */
#include "operations/tools/named_tool.h"
#include "operations/tools/tools_inside.h"
#include "value/own.h"

#include <errno.h>

static int read_named(struct tk_tools_state *s, struct tk_named_tool *tools, uint32_t *ret_count)
{
    struct tk_val add = s->in->add;
    uint32_t n = 0;
    int r = 0;

    for (struct tk_val v = tk_first(add); tk_exists(v) && r == 0; v = tk_after(add, v))
        if (tk_is_named_tool(v))
            r = tk_named_tool_read(v, s->in->provider, s->in->arena, &tools[n++], &s->out->refusal);
    *ret_count = n;
    return r;
}

static struct tk_str write_named(struct tk_tools_state *s, const struct tk_named_tool *tools,
                                 uint32_t n)
{
    struct tk_encoding e;

    tk_encode_begin(&e, s->in->codec, s->in->arena);
    tk_write_map(&e.w);
    tk_write_key(&e.w, "tools");
    tk_write_list(&e.w);
    for (uint32_t i = 0; i < n; i++)
        tk_named_tool_write_tool(&e.w, &tools[i]);
    tk_write_end(&e.w);
    tk_write_key(&e.w, "servers");
    tk_write_list(&e.w);
    for (uint32_t i = 0; i < n; i++)
        tk_named_tool_write_server(&e.w, &tools[i]);
    tk_write_end(&e.w);
    tk_write_end(&e.w);
    return tk_encode_end(&e);
}

int tk_tools_make_named(struct tk_tools_state *s)
{
    struct tk_named_tool *tools =
        tk_arena_alloc(s->in->arena, tk_count(s->in->add) * sizeof(*tools));
    uint32_t n;
    int r;

    if (!tools)
        return -ENOMEM;
    r = read_named(s, tools, &n);
    if (r != 0 || n == 0)
        return r;
    s->named = tk_doc_of_own(write_named(s, tools, n), s->in->hash_key, s->in->arena);
    return s->named ? 0 : -ENOMEM;
}
