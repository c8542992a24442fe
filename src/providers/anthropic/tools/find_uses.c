/* SPDX-License-Identifier: Apache-2.0 */
/* Judges parts of the history that use a tool by its name: the request must offer that tool. */
#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/blocks.h"

#include <errno.h>

static const struct tk_offered *offered(const struct tk_judge *j)
{
    return &tk_anthropic(j)->offered;
}

/* Returns true if the value is a name that no tool has; false if it isn't a name. */
static bool is_unknown_name(const struct tk_judge *j, struct tk_val name)
{
    struct tk_str text = tk_text(name, j->t->arena);

    return text.p && !tk_offered_name(offered(j), text);
}

/* Returns true if the value is the name of a server that no set of tools uses. */
static bool is_unknown_server(const struct tk_judge *j, struct tk_val server)
{
    struct tk_str text = tk_text(server, j->t->arena);
    bool has_set;

    if (!text.p)
        return false;
    tk_offered_sets(offered(j), text, &has_set);
    return !has_set;
}

static int find_use(struct tk_judge *j, uint16_t code, uint32_t part, struct tk_val name)
{
    int r = tk_find_part(&j->findings, j->t, code, part);

    return r < 0
               ? r
               : tk_find_words(&j->findings, j->t, tk_text(name, j->t->arena), (struct tk_str){0});
}

/* ---- calls that the provider hasn't finished ---- */

/* Returns true if the request has the server of an MCP call: a set of its tools, or, where there is
 * no set of any server, the server alone. A call that doesn't name its server may have any. */
static bool has_server_of(const struct tk_judge *j, const struct tk_part *call)
{
    struct tk_val name = tk_get(tk_part_val(call, call->node), TK_STR("server_name"));
    const struct tk_map *names = &offered(j)->server_names;
    struct tk_str text = tk_text(name, j->t->arena);

    if (offered(j)->flags & TK_OFFERS_MCP_TOOLSET)
        return !is_unknown_server(j, name);
    return text.p ? tk_map_get(names, text) != NULL : names->count > 0;
}

static bool is_offered(const struct tk_judge *j, const struct tk_part *call,
                       const struct tk_server_tool *tool)
{
    struct tk_str name = tk_part_name(j->t, call);

    return tk_is_mcp_tool(tool)
               ? has_server_of(j, call)
               : tk_offered_name(offered(j), name) || tk_offered_family(offered(j), name);
}

static bool is_pending_without_tool(const struct tk_judge *j, const struct tk_part *call)
{
    const struct tk_server_tool *tool = tk_tool_of_call(j->t, call);

    return tool && !tk_runs_code(tool) && !tk_is_made_by_code(call) && !is_offered(j, call, tool);
}

/* Judges the calls in flight at the end of the history. */
static int judge_pending(struct tk_judge *j)
{
    const struct tk_pairing *pairing = &tk_anthropic(j)->pairing;
    int r = 0;

    for (uint32_t i = 0; i < pairing->open_count && r == 0; i++) {
        uint32_t call = pairing->groups[pairing->open[i]].call;

        if (tk_judge_cancelled(j, i))
            return -ECANCELED;
        if (call != TK_NONE && is_pending_without_tool(j, &j->t->parts[call]))
            r = tk_find_part(&j->findings, j->t, TK_CODE_SERVER_TOOL_PENDING_TOOL_MISSING, call);
    }
    return r;
}

/* ---- references in results ---- */

struct tk_val tk_tool_references(const struct tk_part *result)
{
    struct tk_val list;

    if (result->block == TK_BLOCK_TOOL_RESULT)
        return tk_result_blocks(result);
    if (!tk_is_result(result, true) ||
        !tk_text_is(tk_part_val(result, result->type), TK_STR("tool_search_tool_result")))
        return TK_NO_VAL;
    list = tk_get(tk_part_val(result, result->payload), TK_STR("tool_references"));
    return tk_is(list, TK_ARRAY) ? list : TK_NO_VAL;
}

static struct tk_val name_of(struct tk_val reference)
{
    return tk_text_is(tk_get(reference, TK_STR("type")), TK_STR("tool_reference"))
               ? tk_get(reference, TK_STR("tool_name"))
               : TK_NO_VAL;
}

bool tk_is_unknown_reference(const struct tk_judge *j, struct tk_val block)
{
    return is_unknown_name(j, name_of(block));
}

/* Names the first tool that isn't offered. */
static int judge_references(struct tk_judge *j, uint32_t result)
{
    struct tk_val list = tk_tool_references(&j->t->parts[result]);

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (tk_is_unknown_reference(j, v))
            return find_use(j, TK_CODE_TOOL_REFERENCE_UNKNOWN, result, name_of(v));
    return 0;
}

/* ---- messages that change the tools ---- */

/* Returns the name of the tool or server that a change refers to, if it isn't offered; else
 * TK_NO_VAL. */
static struct tk_val unknown_in_change(const struct tk_judge *j, struct tk_val tool)
{
    struct tk_val type = tk_get(tool, TK_STR("type")), name;

    if (tk_text_is(type, TK_STR("tool_reference"))) {
        name = tk_get(tool, TK_STR("name"));
        return is_unknown_name(j, name) ? name : TK_NO_VAL;
    }
    if (!tk_text_is(type, TK_STR("mcp_toolset_reference")) &&
        !tk_text_is(type, TK_STR("mcp_tool_reference")))
        return TK_NO_VAL;
    name = tk_get(tool, TK_STR("server_name"));
    return is_unknown_server(j, name) ? name : TK_NO_VAL;
}

static int judge_change(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val name = unknown_in_change(j, tk_get(tk_part_val(p, p->node), TK_STR("tool")));

    return tk_exists(name) ? find_use(j, TK_CODE_TOOL_CHANGE_UNKNOWN_TOOL, part, name) : 0;
}

/* ---- the check ---- */

/* Returns true for a result that can have references to tools which the request doesn't offer. The
 * members of a set of tools aren't known. */
static bool may_refer(const struct tk_judge *j, const struct tk_part *p)
{
    return p->kind == TK_PART_RESULT &&
           !(offered(j)->flags & (TK_OFFERS_TOOLSET | TK_OFFERS_BARE_SERVERS)) &&
           (p->flags & TK_PART_PROVIDER || tk_anthropic(j)->has_references);
}

static int judge_part(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (p->block == TK_BLOCK_TOOL_ADDITION || p->block == TK_BLOCK_TOOL_REMOVAL)
        return judge_change(j, part);
    return may_refer(j, p) ? judge_references(j, part) : 0;
}

int tk_judge_tool_uses(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r;

    if (!offered(j)->is_used && tk_anthropic(j)->pairing.open_count == 0)
        return 0;
    r = tk_offered_need_names(j);
    if (r == 0)
        r = judge_pending(j);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = tk_judge_cancelled(j, step++) ? -ECANCELED : judge_part(j, i);
    return r;
}
