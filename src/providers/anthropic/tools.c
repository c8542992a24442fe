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

const struct tk_tool_rules tk_anthropic_tools = {
    .read_keys = read_keys,
    .has_betas = true,
};
