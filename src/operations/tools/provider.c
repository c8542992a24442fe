/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/tools/provider.h"

#include "value/canonical.h"

#include <errno.h>

#define DATE_DIGITS 8

bool tk_same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    struct tk_digest x = tk_value_digest(TK_STR("tool"), a, arena);
    struct tk_digest y = tk_value_digest(TK_STR("tool"), b, arena);

    return tk_same_digest(&x, &y);
}

/* ---- types ---- */

struct tk_str tk_tool_family(struct tk_str type, uint32_t *ret_date)
{
    uint32_t date = 0;
    size_t head;

    *ret_date = 0;
    if (type.n <= DATE_DIGITS + 1)
        return type;
    head = type.n - DATE_DIGITS;
    for (size_t i = head; i < type.n; i++) {
        if (type.p[i] < '0' || type.p[i] > '9')
            return type;
        date = 10 * date + (uint32_t)(type.p[i] - '0');
    }
    if (type.p[head - 1] != '_')
        return type;
    *ret_date = date;
    return (struct tk_str){type.p, head - 1};
}

bool tk_is_client_toolset(struct tk_str type)
{
    uint32_t date;
    struct tk_str family = tk_tool_family(type, &date);

    return date != 0 && tk_str_ends(family, TK_STR("_toolset"));
}

/* ---- keys ---- */

static struct tk_tool_key *new_key(struct tk_tool_keys *keys)
{
    if (keys->count == keys->capacity) {
        uint32_t capacity = keys->capacity ? 2 * keys->capacity : 16;
        struct tk_tool_key *list = tk_arena_grow(
            keys->arena, keys->list, keys->capacity * sizeof(*list), capacity * sizeof(*list));

        if (!list)
            return NULL;
        keys->list = list;
        keys->capacity = capacity;
    }
    return &keys->list[keys->count++];
}

static int add_key(struct tk_tool_keys *keys, struct tk_tool_key key, const char *kind)
{
    struct tk_tool_key *slot = new_key(keys);

    if (!slot)
        return -ENOMEM;
    *slot = key;
    slot->text =
        tk_arena_concat(keys->arena, (struct tk_str[]){tk_str_of(kind), TK_STR(":"), key.name}, 3);
    return slot->text.p ? 0 : -ENOMEM;
}

/* An entry that nothing names clashes with none, but is not wanted twice. */
static int add_unnamed(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    struct tk_digest hash = tk_value_digest(TK_STR("tool"), entry, keys->arena);
    struct tk_str bytes =
        tk_arena_dup(keys->arena, (struct tk_str){(const char *)hash.bytes, sizeof(hash.bytes)});

    return add_key(keys,
                   (struct tk_tool_key){
                       .name = bytes, .value = entry, .tool = tool, .hash = hash, .hashed = true},
                   "value");
}

static struct tk_str member(struct tk_tool_keys *keys, struct tk_val entry, const char *key)
{
    return tk_text(tk_get(entry, tk_str_of(key)), keys->arena);
}

static int read_anthropic(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    struct tk_str type = member(keys, entry, "type");
    struct tk_tool_key key = {
        .name = member(keys, entry, "name"),
        .value = entry,
        .tool = tool,
        .function = !type.p || tk_str_is(type, "custom"),
    };
    const char *kind = "name";

    key.family = tk_tool_family(type, &key.date);
    if (tk_str_is(type, "mcp_toolset")) {
        key.name = member(keys, entry, "mcp_server_name");
        kind = "server";
    } else if (!key.name.p && tk_is_client_toolset(type)) {
        key.name = key.family;
        kind = "toolset";
    }
    return key.name.p ? add_key(keys, key, kind) : add_unnamed(keys, entry, tool);
}

static int read_responses(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    struct tk_str type = member(keys, entry, "type");
    struct tk_tool_key key = {.name = type, .family = type, .value = entry, .tool = tool};
    const char *kind = "type";

    if (tk_str_is(type, "mcp")) {
        key.name = member(keys, entry, "server_label");
        kind = "server";
    } else if (tk_str_is(type, "function") || tk_str_is(type, "custom")) {
        key.name = member(keys, entry, "name");
        key.function = true;
        kind = "name";
    }
    return key.name.p ? add_key(keys, key, kind) : add_unnamed(keys, entry, tool);
}

/* "googleSearch" and "google_search" are one key. */
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

static int read_gemini(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    uint32_t before = keys->count;

    for (struct tk_val v = tk_first(entry); tk_exists(v); v = tk_after(entry, v)) {
        struct tk_str name = snake_case(tk_key(v, keys->arena), keys->arena);
        struct tk_tool_key key = {.name = name, .family = name, .value = v, .tool = tool};

        if (!name.p || (!is_declarations(name) && add_key(keys, key, "member") < 0))
            return -ENOMEM;
    }
    return keys->count > before ? 0 : add_unnamed(keys, entry, tool);
}

bool tk_has_declarations(struct tk_val entry, struct tk_arena *arena)
{
    for (struct tk_val v = tk_first(entry); tk_exists(v); v = tk_after(entry, v))
        if (is_declarations(snake_case(tk_key(v, arena), arena)))
            return true;
    return false;
}

const struct tk_tool_provider_row tk_tool_providers[TK_TOOLS_PROVIDER_COUNT] = {
    [TK_TOOLS_ANTHROPIC] = {.name = "anthropic", .read_keys = read_anthropic, .has_betas = true},
    [TK_TOOLS_OPENAI_RESPONSES] = {.name = "openai-responses", .read_keys = read_responses},
    [TK_TOOLS_AZURE_RESPONSES] = {.name = "azure-responses", .read_keys = read_responses},
    [TK_TOOLS_GEMINI] = {.name = "gemini",
                         .read_keys = read_gemini,
                         .has_functions_in_entries = true},
    [TK_TOOLS_XAI_RESPONSES] = {.name = "xai-responses", .read_keys = read_responses},
};
