/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rest of a request. An entry of `tools` may declare several functions, and have built-in tools. */
#include <errno.h>

#include "providers/gemini/rules.h"

/* `own` of the view. */
struct own {
    bool has_builtin;
};

struct functions {
    struct tk_arena *arena;
    struct tk_request_tool *list;
    uint32_t count, capacity;
};

struct tk_val tk_gem_given(struct tk_val v, const char *name, const char *other)
{
    struct tk_val member = tk_get_spelled(v, tk_str_of(name), tk_str_of(other));

    return tk_is(member, TK_NULL) ? TK_NO_VAL : member;
}

static int read_functions(struct functions *x, struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v)) {
        if (!TK_GROW(x->arena, x->list, x->count, x->capacity))
            return -ENOMEM;
        x->list[x->count++] = (struct tk_request_tool){v.node, tk_get(v, TK_STR("name")).node};
    }
    return 0;
}

static int read_entry(struct functions *x, struct tk_val entry, bool *has_builtin)
{
    int r = 0;

    for (struct tk_val m = tk_first(entry); tk_is(entry, TK_OBJECT) && tk_exists(m) && r == 0;
         m = tk_after(entry, m)) {
        if (tk_key_is(m, TK_STR("functionDeclarations")) ||
            tk_key_is(m, TK_STR("function_declarations")))
            r = read_functions(x, m);
        else if (!tk_is(m, TK_NULL))
            *has_builtin = true;
    }
    return r;
}

int tk_gem_read_request(struct tk_request_view *ret, struct tk_val body, struct tk_arena *arena)
{
    struct tk_val list = tk_gem_given(body, "tools", "tools");
    struct functions functions = {.arena = arena};
    struct own *own = tk_arena_zalloc(arena, 1, sizeof(*own));
    int r = own ? 0 : -ENOMEM;

    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v) && r == 0;
         v = tk_after(list, v))
        r = read_entry(&functions, v, &own->has_builtin);
    *ret = (struct tk_request_view){.body = body,
                                    .model = tk_get(body, TK_STR("model")),
                                    .tool_list = list,
                                    .tools = functions.list,
                                    .tool_count = functions.count,
                                    .own = own};
    return r;
}

bool tk_gem_has_builtin(const struct tk_request_view *v)
{
    const struct own *own = v->own;

    return own && own->has_builtin;
}
