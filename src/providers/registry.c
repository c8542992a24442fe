/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/registry.h"

#include "providers/anthropic/provider.h"
#include "providers/bedrock/provider.h"
#include "providers/gemini/provider.h"
#include "providers/openai/chat/provider.h"
#include "providers/openai/responses/provider.h"
#include "providers/openai/tools.h"

/* Rows of providers whose rules this build doesn't judge. */
static const struct tk_provider azure_responses = {
    .name = "azure-responses",
    .tools = &tk_azure_tools,
};
static const struct tk_provider xai_responses = {
    .name = "xai-responses",
    .tools = &tk_xai_tools,
};

const struct tk_provider *const tk_providers[TK_PROVIDER_COUNT] = {
    [TK_PROVIDER_ANTHROPIC] = &tk_provider_anthropic,
    [TK_PROVIDER_OPENAI_CHAT] = &tk_provider_openai_chat,
    [TK_PROVIDER_OPENAI_RESPONSES] = &tk_provider_openai_responses,
    [TK_PROVIDER_BEDROCK] = &tk_provider_bedrock,
    [TK_PROVIDER_AZURE_RESPONSES] = &azure_responses,
    [TK_PROVIDER_GEMINI] = &tk_provider_gemini,
    [TK_PROVIDER_XAI_RESPONSES] = &xai_responses,
};
