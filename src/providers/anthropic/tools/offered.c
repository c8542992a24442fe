/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/tools/offered.h"

#include <errno.h>

#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/tools.h"
#include "shapes/blocks.h"

void tk_offered_init(struct tk_offered *o, const struct tk_transcript *t)
{
    *o = (struct tk_offered){0};
    tk_map_init(&o->names, t->arena, t->hash_key);
    tk_map_init(&o->families, t->arena, t->hash_key);
    tk_map_init(&o->servers, t->arena, t->hash_key);
    tk_map_init(&o->server_names, t->arena, t->hash_key);
}

static struct tk_offered *offered(const struct tk_judge *j)
{
    return &tk_anthropic(j)->offered;
}

/* ---- one tool ---- */

/* Returns which callers a tool takes: TK_NAME_DIRECT, TK_OFFERS_TO_CODE. Without a list of them
 * only the model calls it. */
static void read_callers(struct tk_val callers, bool *ret_direct, bool *ret_code,
                         struct tk_arena *arena)
{
    *ret_direct = !tk_is(callers, TK_ARRAY);
    *ret_code = false;
    for (struct tk_val v = tk_first(callers); tk_exists(v) && tk_is(callers, TK_ARRAY);
         v = tk_after(callers, v)) {
        *ret_direct = *ret_direct || tk_text_is(v, TK_STR("direct"));
        *ret_code = *ret_code || tk_str_starts(tk_text(v, arena), TK_STR("code_execution"));
    }
}

static int note_server(struct tk_offered *o, struct tk_str server, bool listed)
{
    bool fresh;
    uint32_t *sets = tk_map_put(&o->servers, server, &fresh);

    if (!sets)
        return -ENOMEM;
    *sets += (uint32_t)fresh + (uint32_t)listed;
    return 0;
}

/* Notes what the type of a built-in tool says. */
static int note_type(struct tk_offered *o, struct tk_str type)
{
    uint32_t date;
    struct tk_str family = tk_tool_family(type, &date);
    bool old, fresh;

    if (tk_str_is(type, "mcp_toolset"))
        o->flags |= TK_OFFERS_MCP_TOOLSET | TK_OFFERS_TOOLSET;
    if (tk_is_client_toolset(type))
        o->flags |= TK_OFFERS_TOOLSET;
    if (tk_is_code_execution(type, &old) || tk_is_web_with_code(type))
        o->flags |= TK_OFFERS_CODE;
    return tk_map_put(&o->families, family, &fresh) ? 0 : -ENOMEM;
}

/* Notes what a tool offers apart from its name. */
static int note_tool(struct tk_offered *o, const struct tk_doc *doc,
                     const struct tk_definition_facts *tool, bool listed, struct tk_arena *arena)
{
    struct tk_str type = tk_text((struct tk_val){doc, tool->type}, arena);
    struct tk_str server = tk_text((struct tk_val){doc, tool->server}, arena);
    bool direct, code;
    int r = 0;

    read_callers((struct tk_val){doc, tool->callers}, &direct, &code, arena);
    o->flags |= code ? TK_OFFERS_TO_CODE : 0;
    if (type.p && !tk_str_is(type, "custom"))
        r = note_type(o, type);
    return r == 0 && server.p && tk_str_is(type, "mcp_toolset") ? note_server(o, server, listed)
                                                                : r;
}

/* Returns true for a function of the client that only the model calls: it has just a name. */
static bool is_function(const struct tk_definition_facts *tool)
{
    return tool->type == TK_NO_NODE && tool->callers == TK_NO_NODE && tool->server == TK_NO_NODE;
}

/* ---- all of them ---- */

/* Empties a map and makes room for n strings. Returns false when out of memory. */
static bool forget(struct tk_map *map, uint32_t n)
{
    return (n == 0 && map->count == 0) || tk_map_clear(map, n);
}

static int note_server_names(struct tk_judge *j)
{
    struct tk_val list = tk_request_at(j->request, TK_REQUEST_SERVERS);
    bool fresh;

    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v)) {
        struct tk_str name = tk_text(tk_get(v, TK_STR("name")), j->t->arena);

        if (name.p && !tk_map_put(&offered(j)->server_names, name, &fresh))
            return -ENOMEM;
    }
    return 0;
}

static int note_listed(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    const struct tk_definition_facts *facts = tk_anthropic_request(v)->facts;
    struct tk_offered *o = offered(j);
    int r = 0;

    o->flags = 0;
    o->names_are_ready = false;
    if (!forget(&o->families, 0) || !forget(&o->servers, 0))
        return -ENOMEM;
    for (uint32_t i = 0; i < v->tool_count && r == 0; i++)
        if (!is_function(&facts[i]))
            r = note_tool(o, v->body.doc, &facts[i], true, j->t->arena);
    if (r == 0)
        r = note_server_names(j);
    if (r == 0)
        r = tk_repeated_read(&o->repeated, v, &o->names);
    o->is_read = r == 0;
    return r;
}

/* Notes the tool that a `tool_addition` defines, if it does. */
static int note_addition(struct tk_judge *j, struct tk_val addition)
{
    struct tk_arena *arena = j->t->arena;
    struct tk_offered *o = offered(j);
    struct tk_val tool = tk_get(addition, TK_STR("tool"));
    struct tk_val definition = tk_get(tool, TK_STR("definition"));
    struct tk_defined_tool defined;
    struct tk_request_tool read;
    struct tk_definition_facts facts;
    bool code;

    if (!tk_text_is(tk_get(tool, TK_STR("type")), TK_STR("tool_definition")) ||
        !tk_is(definition, TK_OBJECT))
        return 0;
    read = tk_anthropic_read_tool(definition, &facts);
    defined.name = tk_text((struct tk_val){definition.doc, read.name}, arena);
    read_callers((struct tk_val){definition.doc, facts.callers}, &defined.direct, &code, arena);
    if (!TK_GROW(arena, o->definitions, o->defined, o->defined_capacity))
        return -ENOMEM;
    o->definitions[o->defined++] = defined;
    o->names_are_ready = false;
    return note_tool(o, definition.doc, &facts, false, arena);
}

/* A summary of the conversation lists the changes of tools that it sums up. */
static int note_summed_up(struct tk_judge *j, struct tk_val compaction)
{
    struct tk_val changes = tk_get(compaction, TK_STR("tool_changes"));
    int r = 0;

    for (struct tk_val v = tk_first(changes); tk_exists(v) && r == 0; v = tk_after(changes, v))
        if (tk_text_is(tk_get(v, TK_STR("type")), TK_STR("tool_addition")))
            r = note_addition(j, v);
    return r;
}

static int note_part(struct tk_judge *j, const struct tk_part *part)
{
    struct tk_offered *o = offered(j);
    struct tk_val block = tk_part_val(part, part->node);

    if (part->block == TK_BLOCK_COMPACTION)
        return note_summed_up(j, block);
    if (part->block == TK_BLOCK_TOOL_ADDITION || part->block == TK_BLOCK_TOOL_REMOVAL)
        o->is_used = true;
    else if (tk_is_result(part, true) && tk_exists(tk_tool_references(part)))
        o->is_used = true;
    return part->block == TK_BLOCK_TOOL_ADDITION ? note_addition(j, block) : 0;
}

static int note_history(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    offered(j)->defined = 0;
    offered(j)->is_used = tk_anthropic(j)->has_references;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = note_part(j, &t->parts[i]);
    return r;
}

/* Returns true if servers may come without a set of tools: the older beta of MCP knew no sets. It
 * may be the caller's if nothing tells the betas. */
static bool has_bare_servers(const struct tk_judge *j)
{
    const struct tk_known_betas *betas = &tk_anthropic(j)->betas;

    if ((offered(j)->flags & TK_OFFERS_MCP_TOOLSET) ||
        !tk_is(tk_request_at(j->request, TK_REQUEST_SERVERS), TK_ARRAY))
        return false;
    return !betas->known ||
           (!tk_lacks_beta(betas, TK_BETA_MCP_SERVERS) &&
            tk_lacks_beta(betas, TK_BETA_MCP_TOOLSET) && tk_lacks_beta(betas, TK_BETA_MCP_PINNED));
}

int tk_offered_read(struct tk_judge *j)
{
    struct tk_offered *o = offered(j);
    /* An edit may have dropped a definition. The entries of `tools` don't change. */
    int r = o->is_read && o->defined == 0 ? 0 : note_listed(j);

    if (r == 0)
        r = note_history(j);
    if (r == 0 && has_bare_servers(j))
        o->flags |= TK_OFFERS_BARE_SERVERS;
    return r;
}

/* ---- names ---- */

static int note_name(struct tk_offered *o, struct tk_str name, bool direct)
{
    bool fresh;
    uint32_t *known = name.p ? tk_map_put(&o->names, name, &fresh) : NULL;

    if (name.p && !known)
        return -ENOMEM;
    if (known)
        *known |= TK_NAME_OFFERED | (direct ? TK_NAME_DIRECT : 0);
    return 0;
}

static int note_name_of(struct tk_judge *j, uint32_t tool)
{
    const struct tk_request_view *v = j->request;
    struct tk_arena *arena = j->t->arena;
    bool direct, code;

    read_callers(tk_request_val(v, tk_anthropic_request(v)->facts[tool].callers), &direct, &code,
                 arena);
    return note_name(offered(j), tk_text(tk_request_val(v, v->tools[tool].name), arena), direct);
}

int tk_offered_need_names(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    struct tk_offered *o = offered(j);
    int r = 0;

    if (o->names_are_ready)
        return 0;
    if (!forget(&o->names, v->tool_count + o->defined))
        return -ENOMEM;
    for (uint32_t i = 0; i < v->tool_count && r == 0; i++)
        r = note_name_of(j, i);
    for (uint32_t i = 0; i < o->defined && r == 0; i++)
        r = note_name(o, o->definitions[i].name, o->definitions[i].direct);
    o->names_are_ready = r == 0;
    return r;
}

/* ---- looking up ---- */

unsigned tk_offered_name(const struct tk_offered *o, struct tk_str name)
{
    const uint32_t *known = tk_map_get(&o->names, name);

    return known ? *known : 0;
}

uint32_t tk_offered_sets(const struct tk_offered *o, struct tk_str server, bool *ret_defined)
{
    const uint32_t *sets = tk_map_get(&o->servers, server);

    *ret_defined = sets != NULL;
    return sets ? *sets - 1 : 0;
}

bool tk_offered_family(const struct tk_offered *o, struct tk_str family)
{
    return tk_map_get(&o->families, family) != NULL;
}
