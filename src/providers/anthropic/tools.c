/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/tools.h"

#define DATE_DIGITS 8

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

/* Web tools of this date and later run in code. */
#define WEB_WITH_CODE_SINCE 20260209u
/* Code execution that they can run in. */
#define CODE_FOR_WEB_SINCE 20260120u

bool tk_is_code_execution(struct tk_str type, bool *ret_old)
{
    uint32_t date;
    struct tk_str family = tk_tool_family(type, &date);

    *ret_old = date != 0 && date < CODE_FOR_WEB_SINCE;
    return tk_str_is(family, "code_execution");
}

bool tk_is_web_with_code(struct tk_str type)
{
    uint32_t date;
    struct tk_str family = tk_tool_family(type, &date);

    return date >= WEB_WITH_CODE_SINCE &&
           (tk_str_is(family, "web_search") || tk_str_is(family, "web_fetch"));
}

bool tk_is_direct_only(struct tk_val callers)
{
    return tk_is(callers, TK_ARRAY) && tk_count(callers) == 1 &&
           tk_text_is(tk_first(callers), TK_STR("direct"));
}

bool tk_is_client_toolset(struct tk_str type)
{
    uint32_t date;
    struct tk_str family = tk_tool_family(type, &date);

    return date != 0 && tk_str_ends(family, TK_STR("_toolset"));
}

static int read_keys(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    struct tk_str type = tk_tool_member(keys, entry, "type");
    struct tk_tool_key key = {
        .name = tk_tool_member(keys, entry, "name"),
        .value = entry,
        .tool = tool,
        .function = !type.p || tk_str_is(type, "custom"),
    };
    const char *kind = "name";

    key.family = tk_tool_family(type, &key.date);
    if (tk_str_is(type, "mcp_toolset")) {
        key.name = tk_tool_member(keys, entry, "mcp_server_name");
        kind = "server";
    } else if (!key.name.p && tk_is_client_toolset(type)) {
        key.name = key.family;
        kind = "toolset";
    }
    return key.name.p ? tk_tool_key_add(keys, key, kind)
                      : tk_tool_key_add_unnamed(keys, entry, tool);
}

/* Kinds of entries that the API refuses together: web tools that run code need a code execution
 * tool that they can run in. */
enum {
    WEB_WITH_CODE = 1,
    OLD_CODE = 2,
};

static unsigned kinds(struct tk_val entry, struct tk_arena *arena)
{
    struct tk_str type = tk_text(tk_get(entry, TK_STR("type")), arena);
    bool old;

    if (tk_is_code_execution(type, &old))
        return old ? OLD_CODE : 0;
    return tk_is_web_with_code(type) && !tk_is_direct_only(tk_get(entry, TK_STR("allowed_callers")))
               ? WEB_WITH_CODE
               : 0;
}

const struct tk_tool_rules tk_anthropic_tools = {
    .named = &tk_anthropic_named_tools,
    .servers = "mcp_servers",
    .read_keys = read_keys,
    .kinds = kinds,
    .incompatible = WEB_WITH_CODE | OLD_CODE,
};
