/* SPDX-License-Identifier: Apache-2.0 */
/* OPERATIONS.md B.3: tools of the Messages API. */
#include "providers/named_tools.h"
#include "providers/anthropic/tools.h"

static const char *const search_dates[] = {"20260318", "20260209", "20250305", NULL};
static const char *const fetch_dates[] = {"20260318", "20260309", "20260209", "20250910", NULL};
static const char *const code_dates[] = {"20260521", "20260120", "20250825", "20250522", NULL};

static const struct tk_str server_members[] = {
    TK_STR_INIT("url"),
    TK_STR_INIT("name"),
    TK_STR_INIT("authorization_token"),
};

/* Writes the entry of `mcp_servers` that a toolset refers to by its name. */
static void write_server(struct tk_writer *w, struct tk_val options)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "url");
    for (size_t i = 0; i < sizeof(server_members) / sizeof(server_members[0]); i++) {
        struct tk_val option = tk_get(options, server_members[i]);

        if (tk_is_option_given(option)) {
            tk_write_key_str(w, server_members[i]);
            tk_write_val(w, option);
        }
    }
    tk_write_end(w);
}

static const struct tk_named_tool_form forms[] = {
    TK_NAMED_TOOL("web_search", "web_search", .name = "web_search", .dates = search_dates),
    TK_NAMED_TOOL("web_fetch", "web_fetch", .name = "web_fetch", .dates = fetch_dates),
    TK_NAMED_TOOL("code_execution", "code_execution", .name = "code_execution",
                  .dates = code_dates),
    TK_NAMED_TOOL("mcp", "mcp_toolset", .write_server = write_server),
    TK_NAMED_TOOL("tool_search", "tool_search_tool_regex_20251119",
                  .name = "tool_search_tool_regex", .variant = "regex"),
    TK_NAMED_TOOL("tool_search", "tool_search_tool_bm25_20251119", .name = "tool_search_tool_bm25",
                  .variant = "bm25"),
    TK_NAMED_TOOL("shell", "bash_20250124", .name = "bash"),
    TK_NAMED_TOOL("apply_patch", "text_editor_20250728", .name = "str_replace_based_edit_tool"),
    TK_NAMED_TOOL("computer", "computer_toolset_20260801"),
    TK_NAMED_TOOL("advisor", "advisor_20260301", .name = "advisor"),
    TK_NAMED_TOOL("memory", "memory_20250818", .name = "memory"),
    {.want = NULL},
};

static const struct tk_named_tool_option options[] = {
    {"mcp", "name", TK_OPTION_RENAMED, "mcp_server_name"},
    {"mcp", "url", TK_OPTION_CONSUMED, NULL},
    {"mcp", "authorization_token", TK_OPTION_CONSUMED, NULL},
    {"tool_search", "variant", TK_OPTION_CONSUMED, NULL},
    {.want = NULL},
};

static const struct tk_named_tool_requirement requirements[] = {
    {"mcp", "name", NULL, TK_STRING},
    {"mcp", "url", NULL, TK_STRING},
    {"advisor", "model", NULL, TK_STRING},
    {.want = NULL},
};

static const struct tk_named_tool_default defaults[] = {
    /* If code could call them, the request would need code execution, too. */
    {"web_search", "20260209", "allowed_callers", NULL, "direct"},
    {"web_fetch", "20260209", "allowed_callers", NULL, "direct"},
    {.want = NULL},
};

const struct tk_named_tools tk_anthropic_named_tools = {forms, options, requirements, defaults};
