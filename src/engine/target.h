/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a request goes. Platforms that serve a provider's models differ in what they accept, and so
 * do the models; the rules that ask for the target are silent about what isn't known of it.
 */
#ifndef TK_ENGINE_TARGET_H
#define TK_ENGINE_TARGET_H

#include "value/str.h"

enum tk_endpoint {
    TK_ENDPOINT_OWN, /* the provider's official API */
    TK_ENDPOINT_BEDROCK,
    TK_ENDPOINT_VERTEX,
    TK_ENDPOINT_AZURE,
    TK_ENDPOINT_COMPATIBLE, /* a server of somebody else that speaks the provider's protocol */
};

/* Servers that copy an API and are known by name: values of the parameter `target.server`, sent for
 * TK_ENDPOINT_COMPATIBLE alone (PROVIDERS.md 3.1): X(id, name). */
#define TK_SERVERS(X)                                                                              \
    X(DEEPSEEK, "deepseek")                                                                        \
    X(GROQ, "groq")                                                                                \
    X(MISTRAL, "mistral")                                                                          \
    X(MOONSHOT, "moonshot")                                                                        \
    X(OPENROUTER, "openrouter")                                                                    \
    X(VLLM, "vllm")                                                                                \
    X(XAI, "xai")

enum tk_server {
    TK_SERVER_UNKNOWN, /* nobody is assumed */
#define TK_SERVER_ENUM(id, name) TK_SERVER_##id,
    TK_SERVERS(TK_SERVER_ENUM)
#undef TK_SERVER_ENUM
};

struct tk_target {
    enum tk_endpoint endpoint;
    enum tk_server server;
    struct tk_str model; /* as the client writes it; `.p == NULL`: not known */
};

#endif
