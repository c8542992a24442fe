/* SPDX-License-Identifier: Apache-2.0 */
/* OPERATIONS.md B.3: tools of the Responses API, at OpenAI, Azure and xAI. */
#include "providers/named_tools.h"
#include "providers/openai/tools.h"

/* ---- OpenAI ---- */

static const struct tk_named_tool_form openai_forms[] = {
    TK_NAMED_TOOL("web_search", "web_search"),
    TK_NAMED_TOOL("code_execution", "code_interpreter"),
    TK_NAMED_TOOL("file_search", "file_search"),
    TK_NAMED_TOOL("image_generation", "image_generation"),
    TK_NAMED_TOOL("mcp", "mcp"),
    TK_NAMED_TOOL("tool_search", "tool_search"),
    TK_NAMED_TOOL("shell", "shell"),
    TK_NAMED_TOOL("local_shell", "local_shell"),
    TK_NAMED_TOOL("apply_patch", "apply_patch"),
    TK_NAMED_TOOL("computer", "computer"),
    {.want = NULL},
};

static const struct tk_named_tool_option openai_options[] = {
    {"web_search", "allowed_domains", TK_OPTION_INSIDE, "filters"},
    {"web_search", "blocked_domains", TK_OPTION_INSIDE, "filters"},
    {"mcp", "name", TK_OPTION_RENAMED, "server_label"},
    {"mcp", "url", TK_OPTION_RENAMED, "server_url"},
    {.want = NULL},
};

static const struct tk_named_tool_requirement openai_requirements[] = {
    {"file_search", "vector_store_ids", NULL, TK_ARRAY},
    {"mcp", "name", NULL, TK_STRING},
    {"mcp", "url", "connector_id", TK_STRING},
    {.want = NULL},
};

/* Also Azure's. */
static const struct tk_named_tool_default openai_defaults[] = {
    {"code_execution", NULL, "container", "type", "auto"},
    {.want = NULL},
};

const struct tk_named_tools tk_openai_named_tools = {
    openai_forms,
    openai_options,
    openai_requirements,
    openai_defaults,
};

/* ---- Azure ---- */

static const struct tk_named_tool_form azure_forms[] = {
    TK_NAMED_TOOL("code_execution", "code_interpreter"),
    {.want = NULL},
};

const struct tk_named_tools tk_azure_named_tools = {
    .forms = azure_forms,
    .defaults = openai_defaults,
};

/* ---- xAI ---- */

static const struct tk_named_tool_form xai_forms[] = {
    TK_NAMED_TOOL("web_search", "web_search"),
    TK_NAMED_TOOL("code_execution", "code_interpreter"),
    TK_NAMED_TOOL("file_search", "file_search"),
    TK_NAMED_TOOL("image_generation", "image_generation"),
    TK_NAMED_TOOL("mcp", "mcp"),
    TK_NAMED_TOOL("x_search", "x_search"),
    {.want = NULL},
};

static const struct tk_named_tool_option xai_options[] = {
    {"web_search", "blocked_domains", TK_OPTION_RENAMED, "excluded_domains"},
    {"mcp", "name", TK_OPTION_RENAMED, "server_label"},
    {"mcp", "url", TK_OPTION_RENAMED, "server_url"},
    {.want = NULL},
};

static const struct tk_named_tool_requirement xai_requirements[] = {
    {"file_search", "vector_store_ids", NULL, TK_ARRAY},
    {"mcp", "name", NULL, TK_STRING},
    {"mcp", "url", NULL, TK_STRING},
    {.want = NULL},
};

const struct tk_named_tools tk_xai_named_tools = {
    .forms = xai_forms,
    .options = xai_options,
    .requirements = xai_requirements,
};
