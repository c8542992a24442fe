/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/provider_pairs/server_tools.h"

#include "value/unicode.h"

enum {
    FORM_HITS,   /* a list of web search hits */
    FORM_OBJECT, /* one of the objects below that names this result */
    FORM_MCP,    /* a string, or a list of text blocks */
};

static const struct tk_server_tool tools[] = {
#define SAME_NAME(name) TK_STR_INIT(name), TK_STR_INIT(name "_tool_result")
    {SAME_NAME("web_search"), FORM_HITS},
    {SAME_NAME("web_fetch"), FORM_OBJECT},
    {SAME_NAME("code_execution"), FORM_OBJECT},
    {SAME_NAME("bash_code_execution"), FORM_OBJECT},
    {SAME_NAME("text_editor_code_execution"), FORM_OBJECT},
    {SAME_NAME("advisor"), FORM_OBJECT},
    {TK_STR_INIT("tool_search_tool_regex"), TK_STR_INIT("tool_search_tool_result"), FORM_OBJECT},
    {TK_STR_INIT("tool_search_tool_bm25"), TK_STR_INIT("tool_search_tool_result"), FORM_OBJECT},
    {{NULL, 0}, TK_STR_INIT("mcp_tool_result"), FORM_MCP},
#undef SAME_NAME
};

#define TOOL_COUNT (sizeof(tools) / sizeof(tools[0]))
#define MCP        (&tools[TOOL_COUNT - 1])

/* Objects that results contain, with their required members (CATALOGUE 5.4). */
static const struct {
    const char *type, *result;
    const char *required[4];
} objects[] = {
    {"web_fetch_result", "web_fetch_tool_result", {"url", "content"}},
    {"code_execution_result",
     "code_execution_tool_result",
     {"stdout", "stderr", "return_code", "content"}},
    {"encrypted_code_execution_result",
     "code_execution_tool_result",
     {"encrypted_stdout", "stderr", "return_code", "content"}},
    {"bash_code_execution_result",
     "bash_code_execution_tool_result",
     {"stdout", "stderr", "return_code", "content"}},
    {"text_editor_code_execution_view_result",
     "text_editor_code_execution_tool_result",
     {"content", "file_type"}},
    {"text_editor_code_execution_create_result",
     "text_editor_code_execution_tool_result",
     {"is_file_update"}},
    {"text_editor_code_execution_str_replace_result",
     "text_editor_code_execution_tool_result",
     {NULL}},
    {"tool_search_tool_search_result", "tool_search_tool_result", {"tool_references"}},
    {"advisor_result", "advisor_tool_result", {"text"}},
    {"advisor_redacted_result", "advisor_tool_result", {"encrypted_content"}},
};

static const struct tk_server_tool *tool_of_name(struct tk_str name)
{
    for (size_t i = 0; name.p && i + 1 < TOOL_COUNT; i++)
        if (tk_str_eq(name, tools[i].call))
            return &tools[i];
    return NULL;
}

const struct tk_server_tool *tk_tool_of_wire_call(struct tk_str type, struct tk_str name)
{
    if (tk_str_is(type, "mcp_tool_use"))
        return MCP;
    return tk_str_is(type, "server_tool_use") ? tool_of_name(name) : NULL;
}

static bool is_mcp(const struct tk_transcript *t, const struct tk_part *call)
{
    const struct tk_adapter *adapter = tk_adapter_of(t->shape);

    return adapter->is_mcp && adapter->is_mcp(call);
}

const struct tk_server_tool *tk_tool_of_call(const struct tk_transcript *t,
                                             const struct tk_part *call)
{
    struct tk_str name = tk_part_name(t, call);

    if (!t->shape->wire)
        return is_mcp(t, call) ? MCP : tool_of_name(name);
    return tk_tool_of_wire_call(tk_text(tk_part_val(call, call->type), t->arena), name);
}

const struct tk_server_tool *tk_tool_of_result(struct tk_str result_type)
{
    for (size_t i = 0; result_type.p && i < TOOL_COUNT; i++)
        if (tk_str_eq(result_type, tools[i].result))
            return &tools[i];
    return NULL;
}

const struct tk_server_tool *tk_tool_answering_wire(struct tk_str type, struct tk_str name)
{
    return tk_str_is(type, "mcp_tool_use") ? MCP : tool_of_name(name);
}

const struct tk_server_tool *tk_tool_answering(const struct tk_transcript *t,
                                               const struct tk_part *call)
{
    struct tk_str name = tk_part_name(t, call);

    if (!t->shape->wire)
        return is_mcp(t, call) ? MCP : tool_of_name(name);
    return tk_tool_answering_wire(tk_text(tk_part_val(call, call->type), t->arena), name);
}

bool tk_is_mcp_tool(const struct tk_server_tool *tool)
{
    return tool == MCP;
}

bool tk_runs_code(const struct tk_server_tool *tool)
{
    return tool && tool->call.p && tk_str_ends(tool->call, TK_STR("code_execution"));
}

bool tk_result_belongs(const struct tk_server_tool *tool, struct tk_str result_type)
{
    return tool ? tk_str_eq(result_type, tool->result) : !tk_tool_of_result(result_type);
}

struct tk_val tk_get_either(struct tk_val v, struct tk_str snake)
{
    struct tk_val found = tk_get(v, snake);
    char camel[40];
    size_t n = 0;

    if (tk_exists(found) || snake.n >= sizeof(camel))
        return found;
    for (size_t i = 0; i < snake.n; i++)
        if (snake.p[i] == '_' && i + 1 < snake.n)
            camel[n++] = (char)(snake.p[++i] - 'a' + 'A');
        else
            camel[n++] = snake.p[i];
    return n == snake.n ? TK_NO_VAL : tk_get(v, (struct tk_str){camel, n});
}

static bool is_hit(struct tk_val v)
{
    static const struct tk_str names[] = {TK_STR_INIT("type"), TK_STR_INIT("title"),
                                          TK_STR_INIT("url"), TK_STR_INIT("encrypted_content"),
                                          TK_STR_INIT("encryptedContent")};
    struct tk_val m[5];

    tk_pick(v, names, 5, m);
    return tk_text_is(m[0], TK_STR("web_search_result")) && tk_is(m[1], TK_STRING) &&
           tk_is(m[2], TK_STRING) && (tk_has_text(m[3]) || tk_has_text(m[4]));
}

static bool all_hits(struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!is_hit(v))
            return false;
    return true;
}

static bool all_text(struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_text_is(tk_get(v, TK_STR("type")), TK_STR("text")))
            return false;
    return true;
}

static bool is_listed_object(struct tk_str result, struct tk_val v)
{
    struct tk_val type = tk_get(v, TK_STR("type"));

    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        if (!tk_text_is(type, tk_str_of(objects[i].type)) || !tk_str_is(result, objects[i].result))
            continue;
        for (size_t k = 0; k < 4 && objects[i].required[k]; k++)
            if (!tk_exists(tk_get_either(v, tk_str_of(objects[i].required[k]))))
                return false;
        return true;
    }
    return false;
}

/* {"type": "web_search_tool_result_error", "error_code": "unavailable"} */
static bool is_error(struct tk_str result, struct tk_val v, struct tk_arena *arena)
{
    struct tk_str type = tk_text(tk_get(v, TK_STR("type")), arena);

    return tk_str_starts(type, result) &&
           tk_str_is((struct tk_str){type.p + result.n, type.n - result.n}, "_error") &&
           tk_has_text(tk_get(v, TK_STR("error_code")));
}

bool tk_result_fits(const struct tk_server_tool *tool, struct tk_val content,
                    struct tk_arena *arena)
{
    if (tool->form == FORM_MCP)
        return !tk_exists(content) || tk_is(content, TK_NULL) || tk_is(content, TK_STRING) ||
               (tk_is(content, TK_ARRAY) && all_text(content));
    if (tool->form == FORM_HITS && tk_is(content, TK_ARRAY))
        return all_hits(content);
    return tk_is(content, TK_OBJECT) &&
           (is_error(tool->result, content, arena) || is_listed_object(tool->result, content));
}

bool tk_has_error_result(const struct tk_transcript *t, const struct tk_part *call)
{
    const struct tk_server_tool *tool = tk_tool_of_call(t, call);
    const struct tk_str *known = tk_adapter_of(t->shape)->error_results;

    if (!tool || !known)
        return tool != NULL;
    while (known->p && !tk_str_eq(*known, tool->result))
        known++;
    return known->p != NULL;
}

bool tk_fits_in_list(const struct tk_server_tool *tool, struct tk_val v)
{
    return tool->form == FORM_HITS  ? is_hit(v)
           : tool->form == FORM_MCP ? tk_text_is(tk_get(v, TK_STR("type")), TK_STR("text"))
                                    : false;
}

struct tk_str tk_result_type_of_call(const struct tk_transcript *t, const struct tk_part *call)
{
    const struct tk_server_tool *tool = tk_tool_answering(t, call);
    struct tk_str type, stem;

    if (tool)
        return tool->result;
    stem = tk_part_name(t, call);
    type = tk_text(tk_part_val(call, call->type), t->arena);
    if (t->shape->wire && !tk_str_is(type, "server_tool_use") &&
        tk_str_ends(type, TK_STR("_tool_use")))
        stem = (struct tk_str){type.p, type.n - TK_STR("_tool_use").n};
    if (!stem.p || tk_is_blank(stem))
        stem = TK_STR("server");
    return tk_arena_concat(t->arena, (struct tk_str[]){stem, TK_STR("_tool_result")}, 2);
}
