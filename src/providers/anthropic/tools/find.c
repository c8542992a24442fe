/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the list `tools` and `tool_choice`. Repair doesn't edit either: a finding says its place in
 * the request. */

#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/tools.h"
#include "providers/common/legal_names.h"

/* Most characters of a tool's name. */
#define NAME_MAX_CHARACTERS 128

static struct tk_str name_of(const struct tk_judge *j, const struct tk_request_tool *tool)
{
    return tk_text(tk_request_val(j->request, tool->name), j->t->arena);
}

/* Adds a finding about a value of `tools` that names the tool. */
static int find_tool(struct tk_judge *j, uint16_t code, uint32_t at,
                     const struct tk_request_tool *tool)
{
    struct tk_str index = tk_arena_printf(j->t->arena, "%u", (unsigned)(tool - j->request->tools));
    int r = tk_find_request(&j->findings, j->t, code, at);

    return r < 0 ? r : tk_find_words(&j->findings, j->t, name_of(j, tool), index);
}

/* ---- names ---- */

static int judge_names(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    int r = 0;

    for (uint32_t i = 0; i < v->tool_count && r == 0; i++) {
        struct tk_str name = name_of(j, &v->tools[i]);

        if (name.p && !tk_is_plain_name(name, NAME_MAX_CHARACTERS))
            r = find_tool(j, TK_CODE_TOOL_NAME_PATTERN, v->tools[i].name, &v->tools[i]);
    }
    return r;
}

static int judge_repeated(struct tk_judge *j)
{
    const struct tk_repeated *repeated = &tk_anthropic(j)->offered.repeated;
    int r = 0;

    for (uint32_t i = 0; i < repeated->count && r == 0; i++) {
        const struct tk_request_tool *tool = &j->request->tools[repeated->list[i]];

        r = find_tool(j, TK_CODE_TOOL_NAMES_DUPLICATE, tool->node, tool);
    }
    return r;
}

/* ---- tools that don't go together ---- */

static int judge_deferred(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;

    for (uint32_t i = 0; i < v->tool_count; i++)
        if (!tk_anthropic_request(v)->facts[i].deferred)
            return 0;
    return v->tool_count == 0
               ? 0
               : tk_find_request(&j->findings, j->t, TK_CODE_TOOLS_ALL_DEFERRED, v->tool_list.node);
}

static bool has_old_code_execution(const struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;

    for (uint32_t i = 0; i < v->tool_count; i++) {
        struct tk_str type =
            tk_text(tk_request_val(v, tk_anthropic_request(v)->facts[i].type), j->t->arena);
        bool old;

        if (type.p && tk_is_code_execution(type, &old) && old)
            return true;
    }
    return false;
}

/* Web tools that run in code bring a newer code execution along than the one in the list. */
static int judge_web_tools(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    const struct tk_definition_facts *facts = tk_anthropic_request(v)->facts;
    int r = 0;

    if (!(tk_anthropic(j)->offered.flags & TK_OFFERS_CODE) || !has_old_code_execution(j))
        return 0;
    for (uint32_t i = 0; i < v->tool_count && r == 0; i++) {
        struct tk_str type = tk_text(tk_request_val(v, facts[i].type), j->t->arena);

        if (type.p && tk_is_web_with_code(type) &&
            !tk_is_direct_only(tk_request_val(v, facts[i].callers)))
            r = find_tool(j, TK_CODE_WEB_TOOL_VERSION_MIX, v->tools[i].node, &v->tools[i]);
    }
    return r;
}

/* ---- tool_choice ---- */

/* Judges the tool that the model is told to call. */
static int judge_named_choice(struct tk_judge *j, struct tk_val name)
{
    const struct tk_offered *o = &tk_anthropic(j)->offered;
    struct tk_str text = tk_text(name, j->t->arena);
    int r = tk_offered_need_names(j);
    unsigned known = r == 0 && text.p ? tk_offered_name(o, text) : 0;

    if (r < 0 || !text.p || known & TK_NAME_DIRECT)
        return r;
    if (known)
        return tk_find_other_form(&j->findings, j->t, TK_CODE_TOOL_CHOICE_INVALID, name.node);
    if (o->flags & (TK_OFFERS_MCP_TOOLSET | TK_OFFERS_BARE_SERVERS))
        return 0;
    r = tk_find_request(&j->findings, j->t, TK_CODE_TOOL_CHOICE_INVALID, name.node);
    return r < 0 ? r : tk_find_words(&j->findings, j->t, text, (struct tk_str){0});
}

static int judge_choice(struct tk_judge *j)
{
    const struct tk_offered *o = &tk_anthropic(j)->offered;
    struct tk_val choice = tk_request_at(j->request, TK_REQUEST_TOOL_CHOICE);
    struct tk_val type = tk_get(choice, TK_STR("type"));

    if (tk_text_is(type, TK_STR("tool")))
        return judge_named_choice(j, tk_get(choice, TK_STR("name")));
    if (tk_text_is(type, TK_STR("any")) && j->request->tool_count + o->defined == 0 &&
        !(o->flags & TK_OFFERS_BARE_SERVERS))
        return tk_find_other_form(&j->findings, j->t, TK_CODE_TOOL_CHOICE_INVALID, choice.node);
    return 0;
}

/* Code calls several tools at a time. */
static int judge_parallel(struct tk_judge *j)
{
    struct tk_val choice = tk_request_at(j->request, TK_REQUEST_TOOL_CHOICE);
    struct tk_val disabled = tk_get(choice, TK_STR("disable_parallel_tool_use"));

    return tk_is(disabled, TK_TRUE) && (tk_anthropic(j)->offered.flags & TK_OFFERS_TO_CODE)
               ? tk_find_request(&j->findings, j->t, TK_CODE_PTC_DISABLE_PARALLEL, disabled.node)
               : 0;
}

int tk_judge_tools(struct tk_judge *j)
{
    static int (*const rules[])(struct tk_judge *
                                j) = {tk_offered_read, judge_names,  judge_repeated, judge_deferred,
                                      judge_web_tools, judge_choice, judge_parallel};
    int r = 0;

    for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]) && r == 0; i++)
        r = rules[i](j);
    return r;
}
