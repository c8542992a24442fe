/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/request.h"

#include <errno.h>

#define ABSENT                                                                                     \
    {                                                                                              \
        NULL, TK_NO_NODE                                                                           \
    }

const struct tk_anthropic_request tk_no_anthropic_request = {
    .at = {[0 ... TK_REQUEST_MEMBERS - 1] = ABSENT},
    .binding = ABSENT,
};

/* In the order in which clients usually write them, with which tk_pick() is fastest. */
static const struct tk_str names[TK_REQUEST_MEMBERS] = {
    [TK_REQUEST_MODEL] = TK_STR_INIT("model"),
    [TK_REQUEST_SYSTEM] = TK_STR_INIT("system"),
    [TK_REQUEST_TOOLS] = TK_STR_INIT("tools"),
    [TK_REQUEST_TOOL_CHOICE] = TK_STR_INIT("tool_choice"),
    [TK_REQUEST_SERVERS] = TK_STR_INIT("mcp_servers"),
    [TK_REQUEST_CONTAINER] = TK_STR_INIT("container"),
    [TK_REQUEST_THINKING] = TK_STR_INIT("thinking"),
    [TK_REQUEST_CONTEXT_MANAGEMENT] = TK_STR_INIT("context_management"),
    [TK_REQUEST_MARKER] = TK_STR_INIT("cache_control"),
    [TK_REQUEST_OUTPUT_CONFIG] = TK_STR_INIT("output_config"),
    [TK_REQUEST_COMPACTION] = TK_STR_INIT("compaction"),
    [TK_REQUEST_FALLBACKS] = TK_STR_INIT("fallbacks"),
    [TK_REQUEST_FALLBACK_CREDIT] = TK_STR_INIT("fallback_credit_token"),
    [TK_REQUEST_THREAD] = TK_STR_INIT("thread"),
};

/* ---- tools, system, and the markers of both ---- */

struct markers {
    struct tk_arena *arena;
    struct tk_val *list;
    uint32_t count, capacity;
};

static int add_marker(struct markers *m, struct tk_val marker)
{
    if (!tk_exists(marker) || tk_is(marker, TK_NULL))
        return 0;
    if (!TK_GROW(m->arena, m->list, m->count, m->capacity))
        return -ENOMEM;
    m->list[m->count++] = marker;
    return 0;
}

/* Lengths of the keys that read_tool() asks for. */
#define TOOL_KEY_LENGTHS (1u << 4 | 1u << 13 | 1u << 15)

/* Returns false for most keys that read_tool() doesn't ask for: a tool's longest members are its
 * description and its schema. */
static bool may_be_tool_key(const struct tk_node *member)
{
    return (member->flags & TK_NODE_KEY_ESCAPED) || member->key_len > 31 ||
           (TOOL_KEY_LENGTHS >> member->key_len & 1);
}

/* Reads one definition in one walk over its members. */
static struct tk_request_tool read_tool(struct tk_val tool, struct tk_definition_facts *facts,
                                        struct tk_val *ret_marker)
{
    struct tk_val member = tk_is(tool, TK_OBJECT) ? tk_first(tool) : TK_NO_VAL;
    struct tk_request_tool ret = {tool.node, TK_NO_NODE};

    *facts = (struct tk_definition_facts){TK_NO_NODE, TK_NO_NODE, TK_NO_NODE, false, false};
    *ret_marker = TK_NO_VAL;
    for (; tk_exists(member); member = tk_after(tool, member)) {
        if (!may_be_tool_key(tk_node(member)))
            continue;
        if (tk_has_key(member.doc, member.node, TK_STR("name")))
            ret.name = member.node;
        else if (tk_has_key(member.doc, member.node, TK_STR("type")))
            facts->type = member.node;
        else if (tk_has_key(member.doc, member.node, TK_STR("allowed_callers")))
            facts->callers = member.node;
        else if (tk_has_key(member.doc, member.node, TK_STR("mcp_server_name")))
            facts->server = member.node;
        else if (tk_has_key(member.doc, member.node, TK_STR("cache_control")))
            *ret_marker = member;
        else if (tk_has_key(member.doc, member.node, TK_STR("defer_loading")))
            facts->deferred = tk_is(member, TK_TRUE);
    }
    facts->marked = tk_exists(*ret_marker) && !tk_is(*ret_marker, TK_NULL);
    return ret;
}

struct tk_request_tool tk_anthropic_read_tool(struct tk_val tool,
                                              struct tk_definition_facts *ret_facts)
{
    struct tk_val marker;

    return read_tool(tool, ret_facts, &marker);
}

static int read_tools(struct tk_request_view *v, struct tk_anthropic_request *own,
                      struct markers *markers)
{
    struct tk_val list = own->at[TK_REQUEST_TOOLS];
    uint32_t n = tk_exists(list) ? tk_count(list) : 0, i = 0;
    struct tk_request_tool *tools = tk_arena_alloc(markers->arena, n * sizeof(*tools));
    struct tk_definition_facts *facts = tk_arena_alloc(markers->arena, n * sizeof(*facts));
    int r = tools && facts ? 0 : -ENOMEM;

    for (struct tk_val e = tk_first(list), marker; tk_exists(e) && r == 0;
         e = tk_after(list, e), i++) {
        tools[i] = read_tool(e, &facts[i], &marker);
        r = add_marker(markers, marker);
    }
    v->tools = tools;
    v->tool_count = tk_is(list, TK_ARRAY) ? n : 0;
    own->facts = facts;
    return r;
}

static int read_system(const struct tk_anthropic_request *own, struct markers *markers)
{
    struct tk_val list = own->at[TK_REQUEST_SYSTEM];
    int r = 0;

    for (struct tk_val block = tk_first(list); tk_exists(block) && r == 0;
         block = tk_after(list, block))
        r = add_marker(markers, tk_get(block, TK_STR("cache_control")));
    return r;
}

/* ---- thinking, context management ---- */

void tk_anthropic_read_thinking(struct tk_anthropic_request *own, struct tk_val thinking)
{
    struct tk_val type = tk_get(thinking, TK_STR("type"));

    own->at[TK_REQUEST_THINKING] = thinking;
    own->flags &=
        ~(uint32_t)(TK_REQUEST_THINKS | TK_REQUEST_THINKS_BY_BUDGET | TK_REQUEST_THINKS_NOT);
    own->binding = tk_get(thinking, TK_STR("block_binding"));
    if (tk_text_is(type, TK_STR("enabled")))
        own->flags |= TK_REQUEST_THINKS | TK_REQUEST_THINKS_BY_BUDGET;
    if (tk_text_is(type, TK_STR("adaptive")))
        own->flags |= TK_REQUEST_THINKS;
    if (tk_text_is(type, TK_STR("disabled")))
        own->flags |= TK_REQUEST_THINKS_NOT;
}

static void read_context_edits(struct tk_anthropic_request *own, struct tk_arena *arena)
{
    static const struct tk_str compact = TK_STR_INIT("compact_");
    struct tk_val edits = tk_get(own->at[TK_REQUEST_CONTEXT_MANAGEMENT], TK_STR("edits"));

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct tk_str type = tk_text(tk_get(e, TK_STR("type")), arena);

        if (tk_str_is(type, "compact_20260112"))
            own->flags |= TK_REQUEST_COMPACTS;
        if (type.p && tk_is(edits, TK_ARRAY))
            own->flags |=
                tk_str_starts(type, compact) ? TK_REQUEST_COMPACT_EDIT : TK_REQUEST_CONTEXT_EDIT;
    }
}

int tk_anthropic_read_request(struct tk_request_view *ret, struct tk_val body,
                              struct tk_arena *arena)
{
    struct tk_anthropic_request *own = tk_arena_zalloc(arena, 1, sizeof(*own));
    struct markers markers = {.arena = arena};
    int r;

    if (!own)
        return -ENOMEM;
    tk_pick(body, names, TK_REQUEST_MEMBERS, own->at);
    *ret = (struct tk_request_view){.body = body,
                                    .model = own->at[TK_REQUEST_MODEL],
                                    .tool_list = own->at[TK_REQUEST_TOOLS],
                                    .own = own};
    tk_anthropic_read_thinking(own, own->at[TK_REQUEST_THINKING]);
    read_context_edits(own, arena);
    r = read_tools(ret, own, &markers);
    if (r == 0)
        r = read_system(own, &markers);
    own->markers = markers.list;
    own->marker_count = markers.count;
    return r;
}
