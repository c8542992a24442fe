/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what needs a beta value in a request (OPERATIONS.md B.2, column "trigger"). */
#include "providers/anthropic/betas/values.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/tools.h"
#include "shapes/shape.h"

static void see(struct tk_beta_scan *scan, unsigned what)
{
    scan->seen |= tk_beta_bit(what);
}

static void see_if(struct tk_beta_scan *scan, unsigned what, bool condition)
{
    scan->seen |= (uint64_t)condition << what;
}

/* Returns true if a member has a value other than null. */
static bool has(struct tk_val object, const char *member)
{
    struct tk_val v = tk_get(object, tk_str_of(member));

    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* ---- tools ---- */

static const struct {
    struct tk_str type;
    bool prefix;
    enum tk_beta needs;
} types[] = {
    {TK_STR_INIT("computer_20241022"), false, TK_BETA_COMPUTER_2024_10},
    {TK_STR_INIT("bash_20241022"), false, TK_BETA_COMPUTER_2024_10},
    {TK_STR_INIT("text_editor_20241022"), false, TK_BETA_COMPUTER_2024_10},
    {TK_STR_INIT("computer_20250124"), false, TK_BETA_COMPUTER_2025_01},
    {TK_STR_INIT("computer_20251124"), false, TK_BETA_COMPUTER_2025_11},
    {TK_STR_INIT("code_execution_20250522"), false, TK_BETA_CODE_EXECUTION},
    {TK_STR_INIT("advisor_20260301"), false, TK_BETA_ADVISOR},
    {TK_STR_INIT("mcp_toolset"), false, TK_BETA_MCP_TOOLSET},
    {TK_STR_INIT("web_search_"), true, TK_BETA_WEB_SEARCH},
    {TK_STR_INIT("web_fetch_"), true, TK_BETA_WEB_FETCH},
};

void tk_anthropic_scan_tool(struct tk_beta_scan *scan, struct tk_val tool, struct tk_arena *arena)
{
    struct tk_str type = tk_text(tk_get(tool, TK_STR("type")), arena);

    if (!type.p)
        return;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (types[i].prefix ? tk_str_starts(type, types[i].type) : tk_str_eq(type, types[i].type))
            see(scan, types[i].needs);
    see_if(scan, TK_BETA_MCP_PINNED, tk_str_is(type, "mcp_toolset") && has(tool, "tools"));
    see_if(scan, TK_BETA_CLIENT_TOOLSET, tk_is_client_toolset(type));
}

void tk_anthropic_scan_servers(struct tk_beta_scan *scan)
{
    see(scan, TK_BETA_MCP_SERVERS);
}

/* ---- messages ---- */

enum {
    M_NAME,
    M_SIGNATURE,
    M_TOOL,
    M_COUNT,
};

static const struct tk_str members[M_COUNT] = {
    [M_NAME] = TK_STR_INIT("name"),
    [M_SIGNATURE] = TK_STR_INIT("signature"),
    [M_TOOL] = TK_STR_INIT("tool"),
};

static void see_call(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                     struct tk_arena *arena)
{
    (void)arena;
    see_if(scan, TK_BETA_ADVISOR, tk_text_is(block[M_NAME], TK_STR("advisor")));
}

static void see_advisor(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                        struct tk_arena *arena)
{
    (void)block;
    (void)arena;
    see(scan, TK_BETA_ADVISOR);
}

static void see_compaction(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                           struct tk_arena *arena)
{
    (void)arena;
    see(scan, tk_has_text(block[M_SIGNATURE]) ? TK_BETA_COMPACTION : TK_BETA_COMPACT_EDIT);
}

static void see_fallback(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                         struct tk_arena *arena)
{
    (void)block;
    (void)arena;
    see(scan, TK_BETA_FALLBACK_BLOCK);
}

static void see_listing(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                        struct tk_arena *arena)
{
    (void)block;
    (void)arena;
    see(scan, TK_BETA_MCP_PINNED);
}

/* A tool that is defined in a message needs what it would need in `tools`. */
static void see_tool_change(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                            struct tk_arena *arena)
{
    struct tk_val type = tk_get(block[M_TOOL], TK_STR("type"));
    struct tk_val definition = tk_get(block[M_TOOL], TK_STR("definition"));

    see_if(scan, TK_BETA_TOOL_REFERENCE, tk_text_is(type, TK_STR("tool_reference")));
    if (!tk_text_is(type, TK_STR("tool_definition")))
        return;
    see(scan, TK_BETA_TOOL_DEFINITION);
    tk_anthropic_scan_tool(scan, definition, arena);
    see_if(scan, TK_BETA_MCP_PINNED,
           tk_text_is(tk_get(definition, TK_STR("type")), TK_STR("mcp_toolset")));
}

static const struct {
    struct tk_str type;
    void (*look)(struct tk_beta_scan *scan, const struct tk_val block[M_COUNT],
                 struct tk_arena *arena);
} blocks[] = {
    {TK_STR_INIT("server_tool_use"), see_call},
    {TK_STR_INIT("advisor_tool_result"), see_advisor},
    {TK_STR_INIT("compaction"), see_compaction},
    {TK_STR_INIT("fallback"), see_fallback},
    {TK_STR_INIT("mcp_tool_listing"), see_listing},
    {TK_STR_INIT("tool_addition"), see_tool_change},
    {TK_STR_INIT("tool_removal"), see_tool_change},
};

void tk_anthropic_scan_block(struct tk_beta_scan *scan, struct tk_val block, struct tk_arena *arena)
{
    struct tk_str type = tk_text(tk_get(block, TK_STR("type")), arena);
    struct tk_val found[M_COUNT];

    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) {
        if (!tk_str_eq(type, blocks[i].type))
            continue;
        tk_pick(block, members, M_COUNT, found);
        blocks[i].look(scan, found, arena);
    }
}

void tk_anthropic_scan_message(struct tk_beta_scan *scan, struct tk_val message)
{
    if (!tk_text_is(tk_get(message, TK_STR("role")), TK_STR("system")))
        return;
    see_if(scan, TK_BETA_CLEAR_AT, has(message, "clear_at"));
    see_if(scan, TK_BETA_OUTPUT_CONFIG, has(message, "output_config"));
}

/* ---- the body ---- */

static void scan_thinking(struct tk_beta_scan *scan, const struct tk_request_view *request)
{
    struct tk_val thinking = tk_request_at(request, TK_REQUEST_THINKING);

    see_if(scan, TK_BETA_MANUAL_THINKING, tk_request_flags(request) & TK_REQUEST_THINKS_BY_BUDGET);
    see_if(scan, TK_BETA_BLOCK_BINDING,
           tk_exists(tk_anthropic_request(request)->binding) &&
               !tk_is(tk_anthropic_request(request)->binding, TK_NULL));
    see_if(scan, TK_BETA_DISPLAY_UPDATES,
           tk_text_is(tk_get(thinking, TK_STR("display")), TK_STR("updates")));
}

void tk_anthropic_scan_request(struct tk_beta_scan *scan, const struct tk_request_view *request)
{
    struct tk_val fallbacks = tk_request_at(request, TK_REQUEST_FALLBACKS);

    scan_thinking(scan, request);
    see_if(scan, TK_BETA_COMPACT_EDIT, tk_request_flags(request) & TK_REQUEST_COMPACT_EDIT);
    see_if(scan, TK_BETA_CONTEXT_EDIT, tk_request_flags(request) & TK_REQUEST_CONTEXT_EDIT);
    see_if(scan, TK_BETA_COMPACTION, tk_request_has(request, TK_REQUEST_COMPACTION));
    see_if(scan, TK_BETA_FALLBACK_LIST, tk_is(fallbacks, TK_ARRAY));
    see_if(scan, TK_BETA_FALLBACK_DEFAULT, tk_text_is(fallbacks, TK_STR("default")));
    see_if(scan, TK_BETA_FALLBACK_CREDIT, tk_request_has(request, TK_REQUEST_FALLBACK_CREDIT));
    see_if(scan, TK_BETA_TASK_BUDGET,
           has(tk_request_at(request, TK_REQUEST_OUTPUT_CONFIG), "task_budget"));
    see_if(scan, TK_BETA_THREAD, tk_request_has(request, TK_REQUEST_THREAD));
}
