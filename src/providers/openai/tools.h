/* SPDX-License-Identifier: Apache-2.0 */
/* Tools of the Responses API, which OpenAI, Azure and xAI offer. */
#ifndef TK_PROVIDERS_OPENAI_TOOLS_H
#define TK_PROVIDERS_OPENAI_TOOLS_H

#include "providers/tools.h"

extern const struct tk_tool_rules tk_openai_tools, tk_azure_tools, tk_xai_tools;

/* In named_tools.c. */
extern const struct tk_named_tools tk_openai_named_tools, tk_azure_named_tools, tk_xai_named_tools;

#endif
