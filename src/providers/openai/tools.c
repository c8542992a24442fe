/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/tools.h"

static int read_keys(struct tk_tool_keys *keys, struct tk_val entry, uint32_t tool)
{
    struct tk_str type = tk_tool_member(keys, entry, "type");
    struct tk_tool_key key = {.name = type, .family = type, .value = entry, .tool = tool};
    const char *kind = "type";

    if (tk_str_is(type, "mcp")) {
        key.name = tk_tool_member(keys, entry, "server_label");
        kind = "server";
    } else if (tk_str_is(type, "function") || tk_str_is(type, "custom")) {
        key.name = tk_tool_member(keys, entry, "name");
        key.function = true;
        kind = "name";
    }
    return key.name.p ? tk_tool_key_add(keys, key, kind)
                      : tk_tool_key_add_unnamed(keys, entry, tool);
}

const struct tk_tool_rules tk_openai_tools = {
    .named = &tk_openai_named_tools,
    .read_keys = read_keys,
};

const struct tk_tool_rules tk_azure_tools = {
    .named = &tk_azure_named_tools,
    .read_keys = read_keys,
};

const struct tk_tool_rules tk_xai_tools = {
    .named = &tk_xai_named_tools,
    .read_keys = read_keys,
};
