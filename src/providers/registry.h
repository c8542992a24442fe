/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The providers that this build knows. Methods, operations/tools, `info` and the CLI read them
 * here. Adding one is a line of this file, its row in registry.c, and its folder.
 */
#ifndef TK_PROVIDERS_REGISTRY_H
#define TK_PROVIDERS_REGISTRY_H

/* Providers whose rules are judged: the name in code, the name on the wire. The first one is the
 * default. */
#define TK_JUDGED_PROVIDERS(X)                                                                     \
    X(ANTHROPIC, "anthropic")                                                                      \
    X(OPENAI_CHAT, "openai-chat")                                                                  \
    X(OPENAI_RESPONSES, "openai-responses")                                                        \
    X(BEDROCK, "bedrock")                                                                          \
    X(GEMINI, "gemini")

/* Providers whose streams are read, too: their rows have `stream`. */
#define TK_STREAMED_PROVIDERS(X)                                                                   \
    X(ANTHROPIC, "anthropic")                                                                      \
    X(OPENAI_CHAT, "openai-chat")                                                                  \
    X(OPENAI_RESPONSES, "openai-responses")                                                        \
    X(BEDROCK, "bedrock")                                                                          \
    X(GEMINI, "gemini")

/* Providers of which only tools are merged. */
#define TK_TOOLS_PROVIDERS(X)                                                                      \
    X(AZURE_RESPONSES, "azure-responses")                                                          \
    X(XAI_RESPONSES, "xai-responses")

/* Providers whose tools are merged, judged or not: their rows have `tools`. */
#define TK_MERGED_PROVIDERS(X)                                                                     \
    X(ANTHROPIC, "anthropic")                                                                      \
    X(OPENAI_RESPONSES, "openai-responses")                                                        \
    X(GEMINI, "gemini")                                                                            \
    TK_TOOLS_PROVIDERS(X)

#define TK_PROVIDERS(X)                                                                            \
    TK_JUDGED_PROVIDERS(X)                                                                         \
    TK_TOOLS_PROVIDERS(X)

enum tk_provider_id {
#define TK_PROVIDER_ENUM(id, name) TK_PROVIDER_##id,
    TK_PROVIDERS(TK_PROVIDER_ENUM)
#undef TK_PROVIDER_ENUM
    TK_PROVIDER_COUNT,
};

struct tk_provider;

/* By enum tk_provider_id; see provider.h. */
extern const struct tk_provider *const tk_providers[TK_PROVIDER_COUNT];

#endif
