/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/tools/tools.h"

#include "operations/tools/tools_inside.h"
#include "value/canonical.h"

#include <errno.h>

int tk_merged_init(struct tk_merged *m, struct tk_val base, size_t more, struct tk_arena *arena)
{
    uint32_t n = tk_is(base, TK_ARRAY) ? tk_count(base) : 0;

    *m = (struct tk_merged){.base = base};
    m->list = tk_arena_zalloc(arena, n + more, sizeof(*m->list));
    if (!m->list)
        return -ENOMEM;
    if (n > 0)
        for (struct tk_val v = tk_first(base); tk_exists(v); v = tk_after(base, v))
            m->list[m->count++] = (struct tk_tool){.val = v, .was = v};
    m->base_count = m->count;
    return 0;
}

bool tk_same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    struct tk_digest x = tk_value_digest(TK_STR("tool"), a, arena);
    struct tk_digest y = tk_value_digest(TK_STR("tool"), b, arena);

    return tk_digest_eq(&x, &y);
}

/* Compares values: an entry that was replaced twice and is as received again is unchanged. */
void tk_merged_settle(struct tk_merged *m, struct tk_arena *arena)
{
    m->changed = m->count > m->base_count;
    for (uint32_t i = 0; i < m->base_count; i++) {
        struct tk_tool *tool = &m->list[i];

        if (tool->replaced && tk_same_value(tool->val, tool->was, arena)) {
            tool->val = tool->was;
            tool->replaced = false;
        }
        m->changed |= tool->dropped || tool->replaced;
    }
}

/* ---- faults and notes about the whole list ---- */

static int refuse_incompatible(struct tk_tools_state *s)
{
    const struct tk_tool_rules *rules = tk_tools_rules(s);
    const struct tk_merged *tools = &s->out->tools;
    unsigned kinds = 0;

    for (uint32_t i = 0; i < tools->count; i++)
        kinds |= rules->kinds(tools->list[i].val, s->in->arena);
    if ((kinds & rules->incompatible) != rules->incompatible)
        return 0;
    if (tk_exists(s->in->tools))
        return tk_refusal_blame(&s->out->refusal, TK_REFUSAL_INCOMPATIBLE_TOOLS, s->in->tools);
    return tk_refusal_blame_member(&s->out->refusal, TK_REFUSAL_INCOMPATIBLE_TOOLS, s->in->request,
                                   "tools");
}

bool tk_has_assistant_message(struct tk_val messages)
{
    for (struct tk_val v = tk_first(messages); tk_exists(v); v = tk_after(messages, v))
        if (tk_text_is(tk_get(v, TK_STR("role")), TK_STR("assistant")))
            return true;
    return false;
}

/* Returns true if the tools that the model sees at the start changed. Added entries with
 * `defer_loading` don't count: the model sees them only after it searched for them. */
static bool is_prefix_changed(const struct tk_merged *tools)
{
    for (uint32_t i = 0; i < tools->base_count; i++)
        if (tools->list[i].dropped || tools->list[i].replaced)
            return true;
    for (uint32_t i = tools->base_count; i < tools->count; i++)
        if (!tk_is(tk_get(tools->list[i].val, TK_STR("defer_loading")), TK_TRUE))
            return true;
    return false;
}

static bool is_mixed(const struct tk_tools_state *s)
{
    bool functions = false, built_in = false;

    for (uint32_t i = 0; i < s->out->tools.count; i++) {
        struct tk_val entry = s->out->tools.list[i].val;
        bool declares = tk_tools_rules(s)->has_functions_in_entries(entry, s->in->arena);

        functions |= declares;
        built_in |= tk_count(entry) > declares;
    }
    return functions && built_in;
}

static void note_whole(struct tk_tools_state *s)
{
    if (s->in->mid_conversation && is_prefix_changed(&s->out->tools))
        tk_tools_note(s, TK_TOOLS_NOTE_TOOLS_CHANGED);
    if (tk_tools_rules(s)->has_functions_in_entries && is_mixed(s))
        tk_tools_note(s, TK_TOOLS_NOTE_MIXED_TOOLS);
}

/* ---- the merge ---- */

static int merge(struct tk_tools_state *s)
{
    int r = tk_tools_make_named(s);

    if (r == 0)
        r = tk_tools_merge_entries(s);
    if (r == 0)
        r = tk_tools_merge_servers(s);
    if (r == 0 && tk_tools_rules(s)->kinds)
        r = refuse_incompatible(s);
    tk_merged_settle(&s->out->tools, s->in->arena);
    tk_merged_settle(&s->out->servers, s->in->arena);
    if (r == 0)
        note_whole(s);
    return r;
}

int tk_tools_merge(const struct tk_tools_input *in, struct tk_tools *ret)
{
    struct tk_tools_state s = {.in = in, .out = ret};
    const struct tk_tool_rules *rules = in->provider->tools;
    size_t more = tk_count(in->add);
    int r;

    *ret = (struct tk_tools){.servers_name = rules ? rules->servers : NULL};
    r = tk_merged_init(&ret->tools, in->tools, more, in->arena);
    s.facts = tk_arena_zalloc(in->arena, ret->tools.count + more, sizeof(*s.facts));
    if (r < 0 || !s.facts)
        return -ENOMEM;
    r = tk_exists(in->add) ? merge(&s) : tk_tools_merge_servers(&s);
    return r == 0 && tk_arena_failed(in->arena) ? -ENOMEM : r;
}
