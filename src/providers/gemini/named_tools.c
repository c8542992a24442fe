/* SPDX-License-Identifier: Apache-2.0 */
/* OPERATIONS.md B.3: tools of the Gemini API. */
#include "providers/named_tools.h"
#include "providers/gemini/tools.h"

static const struct tk_named_tool_form forms[] = {
    TK_NAMED_TOOL("web_search", "google_search", .keyed = true),
    TK_NAMED_TOOL("web_fetch", "url_context", .keyed = true),
    TK_NAMED_TOOL("code_execution", "code_execution", .keyed = true),
    TK_NAMED_TOOL("file_search", "file_search", .keyed = true),
    TK_NAMED_TOOL("google_maps", "google_maps", .keyed = true),
    {.want = NULL},
};

static const struct tk_named_tool_option options[] = {
    {"web_search", "allowed_domains", TK_OPTION_UNSUPPORTED, NULL},
    {"web_search", "blocked_domains", TK_OPTION_UNSUPPORTED, NULL},
    {.want = NULL},
};

const struct tk_named_tools tk_gemini_named_tools = {.forms = forms, .options = options};
