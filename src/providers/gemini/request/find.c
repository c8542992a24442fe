/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the rest of a request: cached content, names of functions, built-in tools (CATALOGUE 4.4). */
#include <errno.h>

#include "providers/gemini/rules.h"

/* Returns a member of the body, in either spelling; absent if it is null. */
static struct tk_val given(struct tk_val v, const char *name, const char *other)
{
    struct tk_val member = tk_get_spelled(v, tk_str_of(name), tk_str_of(other));

    return tk_is(member, TK_NULL) ? TK_NO_VAL : member;
}

static int blame(struct tk_judge *j, uint16_t code)
{
    return tk_find_request(&j->findings, j->t, code, TK_NO_NODE);
}

static int find_cache_conflict(struct tk_judge *j, struct tk_val body)
{
    bool cached = tk_exists(given(body, "cachedContent", "cached_content"));
    bool other = tk_exists(given(body, "tools", "tools")) ||
                 tk_exists(given(body, "toolConfig", "tool_config")) ||
                 tk_exists(given(body, "systemInstruction", "system_instruction"));

    return cached && other ? blame(j, TK_CODE_GEM_CACHED_CONTENT_CONFLICT) : 0;
}

/* ---- functions ---- */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Returns true for ^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$. */
static bool is_legal_name(struct tk_str name)
{
    if (!name.p || name.n == 0 || name.n > 128 || !is_letter(name.p[0]))
        return false;
    for (size_t i = 1; i < name.n; i++) {
        char c = name.p[i];

        if (!is_letter(c) && !(c >= '0' && c <= '9') && c != '.' && c != ':' && c != '-')
            return false;
    }
    return true;
}

/* Facts about the tools of a request. */
struct tools {
    struct tk_map names;
    bool has_function, has_builtin, has_bad_name;
};

static int read_functions(struct tk_judge *j, struct tools *tools, struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v)) {
        struct tk_str name = tk_text(tk_get(v, TK_STR("name")), j->t->arena);
        bool is_new = true;

        if (name.p && !tk_map_put(&tools->names, name, &is_new))
            return -ENOMEM;
        tools->has_function = true;
        tools->has_bad_name = tools->has_bad_name || !is_new || !is_legal_name(name);
    }
    return 0;
}

static int read_tools(struct tk_judge *j, struct tools *tools, struct tk_val list)
{
    int r = 0;

    tk_map_init(&tools->names, j->t->arena, j->t->hash_key);
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v) && r == 0;
         v = tk_after(list, v))
        for (struct tk_val m = tk_first(v); tk_is(v, TK_OBJECT) && tk_exists(m) && r == 0;
             m = tk_after(v, m)) {
            if (tk_key_is(m, TK_STR("functionDeclarations")) ||
                tk_key_is(m, TK_STR("function_declarations")))
                r = read_functions(j, tools, m);
            else if (!tk_is(m, TK_NULL))
                tools->has_builtin = true;
        }
    return r;
}

/* Returns true if the request lets the model call built-in tools next to functions. */
static bool allows_both(struct tk_val body)
{
    struct tk_val config = given(body, "toolConfig", "tool_config");

    return tk_is(
        given(config, "includeServerSideToolInvocations", "include_server_side_tool_invocations"),
        TK_TRUE);
}

int tk_gem_find_request(struct tk_judge *j)
{
    struct tk_val body = j->request->body, list = given(body, "tools", "tools");
    struct tools tools = {.has_function = false};
    int r = find_cache_conflict(j, body);

    if (r == 0)
        r = read_tools(j, &tools, list);
    if (r == 0 && tools.has_bad_name)
        r = blame(j, TK_CODE_GEM_FUNCTION_NAME);
    if (r == 0 && tools.has_function && tools.has_builtin && tk_gem_version(j) >= TK_GEMINI_3 &&
        j->target.endpoint == TK_ENDPOINT_OWN && !allows_both(body))
        r = blame(j, TK_CODE_GEM_BUILTIN_WITH_FUNCTIONS);
    return r;
}
