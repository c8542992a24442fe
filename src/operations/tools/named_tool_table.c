/* SPDX-License-Identifier: Apache-2.0 */
/* OPERATIONS.md B.3, row by row. */
#include "operations/tools/named_tool.h"

#define ANTHROPIC TK_FOR(ANTHROPIC)
#define OPENAI    TK_FOR(OPENAI_RESPONSES)
#define AZURE     TK_FOR(AZURE_RESPONSES)
#define GEMINI    TK_FOR(GEMINI)
#define XAI       TK_FOR(XAI_RESPONSES)

/* Members by name: which ones a form has differs from row to row. */
#define FORM(want_, providers_, ...)                                                               \
    {                                                                                              \
        .want = (want_), .providers = (providers_), .type = __VA_ARGS__                            \
    }

static const char *const search_dates[] = {"20260318", "20260209", "20250305", NULL};
static const char *const fetch_dates[] = {"20260318", "20260309", "20260209", "20250910", NULL};
static const char *const code_dates[] = {"20260521", "20260120", "20250825", "20250522", NULL};

const struct tk_named_tool_form tk_named_tool_forms[] = {
    /* N1 */
    FORM("web_search", ANTHROPIC, "web_search", .name = "web_search", .dates = search_dates),
    FORM("web_search", OPENAI | XAI, "web_search"),
    FORM("web_search", GEMINI, "google_search", .keyed = true),
    /* N2 */
    FORM("web_fetch", ANTHROPIC, "web_fetch", .name = "web_fetch", .dates = fetch_dates),
    FORM("web_fetch", GEMINI, "url_context", .keyed = true),
    /* N3 */
    FORM("code_execution", ANTHROPIC, "code_execution", .name = "code_execution",
         .dates = code_dates),
    FORM("code_execution", OPENAI | AZURE | XAI, "code_interpreter"),
    FORM("code_execution", GEMINI, "code_execution", .keyed = true),
    /* N4, N5 */
    FORM("file_search", OPENAI | XAI, "file_search"),
    FORM("file_search", GEMINI, "file_search", .keyed = true),
    FORM("image_generation", OPENAI | XAI, "image_generation"),
    /* N6 */
    FORM("mcp", ANTHROPIC, "mcp_toolset", .has_server = true),
    FORM("mcp", OPENAI | XAI, "mcp"),
    /* N7 */
    FORM("tool_search", ANTHROPIC, "tool_search_tool_regex_20251119",
         .name = "tool_search_tool_regex", .variant = "regex"),
    FORM("tool_search", ANTHROPIC, "tool_search_tool_bm25_20251119",
         .name = "tool_search_tool_bm25", .variant = "bm25"),
    FORM("tool_search", OPENAI, "tool_search"),
    /* N8 to N11 */
    FORM("shell", ANTHROPIC, "bash_20250124", .name = "bash"),
    FORM("shell", OPENAI, "shell"),
    FORM("local_shell", OPENAI, "local_shell"),
    FORM("apply_patch", ANTHROPIC, "text_editor_20250728", .name = "str_replace_based_edit_tool"),
    FORM("apply_patch", OPENAI, "apply_patch"),
    FORM("computer", ANTHROPIC, "computer_toolset_20260801"),
    FORM("computer", OPENAI, "computer"),
    /* N12 to N15 */
    FORM("x_search", XAI, "x_search"),
    FORM("advisor", ANTHROPIC, "advisor_20260301", .name = "advisor"),
    FORM("memory", ANTHROPIC, "memory_20250818", .name = "memory"),
    FORM("google_maps", GEMINI, "google_maps", .keyed = true),
    {.want = NULL},
};

const struct tk_named_tool_option tk_named_tool_options[] = {
    {"web_search", OPENAI, "allowed_domains", TK_OPTION_INSIDE, "filters"},
    {"web_search", OPENAI, "blocked_domains", TK_OPTION_INSIDE, "filters"},
    {"web_search", XAI, "blocked_domains", TK_OPTION_RENAMED, "excluded_domains"},
    {"web_search", GEMINI, "allowed_domains", TK_OPTION_UNSUPPORTED, NULL},
    {"web_search", GEMINI, "blocked_domains", TK_OPTION_UNSUPPORTED, NULL},
    {"mcp", ANTHROPIC, "name", TK_OPTION_RENAMED, "mcp_server_name"},
    {"mcp", ANTHROPIC, "url", TK_OPTION_CONSUMED, NULL},
    {"mcp", ANTHROPIC, "authorization_token", TK_OPTION_CONSUMED, NULL},
    {"mcp", OPENAI | XAI, "name", TK_OPTION_RENAMED, "server_label"},
    {"mcp", OPENAI | XAI, "url", TK_OPTION_RENAMED, "server_url"},
    {"tool_search", ANTHROPIC, "variant", TK_OPTION_CONSUMED, NULL},
    {.want = NULL},
};

const struct tk_named_tool_requirement tk_named_tool_requirements[] = {
    {"file_search", OPENAI | XAI, "vector_store_ids", NULL, TK_ARRAY},
    {"mcp", ANTHROPIC | OPENAI | XAI, "name", NULL, TK_STRING},
    {"mcp", ANTHROPIC | XAI, "url", NULL, TK_STRING},
    {"mcp", OPENAI, "url", "connector_id", TK_STRING},
    {"advisor", ANTHROPIC, "model", NULL, TK_STRING},
    {.want = NULL},
};

const struct tk_named_tool_default tk_named_tool_defaults[] = {
    /* If code could call them, the request would need code execution, too. */
    {"web_search", ANTHROPIC, "20260209", "allowed_callers", NULL, "direct"},
    {"web_fetch", ANTHROPIC, "20260209", "allowed_callers", NULL, "direct"},
    {"code_execution", OPENAI | AZURE, NULL, "container", "type", "auto"},
    {.want = NULL},
};
