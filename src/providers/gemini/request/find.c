/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the rest of a request: cached content, names of functions, built-in tools (CATALOGUE 4.4). */
#include <errno.h>

#include "providers/gemini/rules.h"

static int blame(struct tk_judge *j, uint16_t code)
{
    return tk_find_request(&j->findings, j->t, code, TK_NO_NODE);
}

static int find_cache_conflict(struct tk_judge *j, struct tk_val body)
{
    bool cached = tk_exists(tk_gem_given(body, "cachedContent", "cached_content"));
    bool other = tk_exists(tk_gem_given(body, "tools", "tools")) ||
                 tk_exists(tk_gem_given(body, "toolConfig", "tool_config")) ||
                 tk_exists(tk_gem_given(body, "systemInstruction", "system_instruction"));

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

/* Returns 0 or -ENOMEM; *ret: true if the name of a function isn't legal, or is that of another. */
static int find_bad_name(struct tk_judge *j, bool *ret)
{
    const struct tk_request_view *v = j->request;
    struct tk_map names;

    *ret = false;
    tk_map_init(&names, j->t->arena, j->t->hash_key);
    for (uint32_t i = 0; i < v->tool_count; i++) {
        struct tk_str name = tk_text(tk_request_val(v, v->tools[i].name), j->t->arena);
        bool is_new = true;

        if (name.p && !tk_map_put(&names, name, &is_new))
            return -ENOMEM;
        *ret = *ret || !is_new || !is_legal_name(name);
    }
    return 0;
}

/* Returns true if the request lets the model call built-in tools next to functions. */
static bool allows_both(struct tk_val body)
{
    struct tk_val config = tk_gem_given(body, "toolConfig", "tool_config");

    return tk_is(tk_gem_given(config, "includeServerSideToolInvocations",
                              "include_server_side_tool_invocations"),
                 TK_TRUE);
}

int tk_gem_find_request(struct tk_judge *j)
{
    struct tk_val body = j->request->body;
    bool has_bad_name;
    int r = find_cache_conflict(j, body);

    if (r == 0)
        r = find_bad_name(j, &has_bad_name);
    if (r == 0 && has_bad_name)
        r = blame(j, TK_CODE_GEM_FUNCTION_NAME);
    if (r == 0 && j->request->tool_count > 0 && tk_gem_has_builtin(j->request) &&
        tk_gem_version(j) >= TK_GEMINI_3 && j->target.endpoint == TK_ENDPOINT_OWN &&
        !allows_both(body))
        r = blame(j, TK_CODE_GEM_BUILTIN_WITH_FUNCTIONS);
    return r;
}
