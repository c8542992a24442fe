/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/gemini/tools.h"

#include <errno.h>

/* Returns the key with "_" before each capital: "googleSearch" and "google_search" are one key. */
static struct tk_str snake_case(struct tk_str key, struct tk_arena *arena)
{
    char *text = tk_arena_alloc(arena, 2 * key.n), *to = text;

    if (!text)
        return (struct tk_str){NULL, 0};
    for (size_t i = 0; i < key.n; i++) {
        bool upper = key.p[i] >= 'A' && key.p[i] <= 'Z';

        if (upper && i > 0)
            *to++ = '_';
        *to++ = upper ? (char)(key.p[i] + ('a' - 'A')) : key.p[i];
    }
    return (struct tk_str){text, (size_t)(to - text)};
}

static bool is_declarations(struct tk_str name)
{
    return tk_str_is(name, "function_declarations");
}

static int read_keys(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    uint32_t before = keys->count;

    for (struct tk_val v = tk_first(entry); tk_exists(v); v = tk_after(entry, v)) {
        struct tk_str name = snake_case(tk_key(v, keys->arena), keys->arena);
        struct tk_tool_key key = {.name = name, .family = name, .value = v, .tool = tool};

        if (!name.p || (!is_declarations(name) && tk_tool_key_add(keys, key, "member") < 0))
            return -ENOMEM;
    }
    return keys->count > before ? 0 : tk_tool_key_add_unnamed(keys, entry, tool);
}

static bool has_declarations(struct tk_val entry, struct tk_arena *arena)
{
    for (struct tk_val v = tk_first(entry); tk_exists(v); v = tk_after(entry, v))
        if (is_declarations(snake_case(tk_key(v, arena), arena)))
            return true;
    return false;
}

const struct tk_tool_rules tk_gemini_tools = {
    .named = &tk_gemini_named_tools,
    .read_keys = read_keys,
    .has_functions_in_entries = has_declarations,
};
