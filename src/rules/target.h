/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a request goes. Platforms that serve a provider's models differ in what they accept, and so
 * do the models; the rules that ask for the target are silent about what isn't known of it.
 */
#ifndef TK_RULES_TARGET_H
#define TK_RULES_TARGET_H

#include "value/str.h"

enum tk_endpoint {
    TK_ENDPOINT_OWN, /* the provider's official API */
    TK_ENDPOINT_BEDROCK,
    TK_ENDPOINT_VERTEX,
    TK_ENDPOINT_AZURE,
    TK_ENDPOINT_COMPATIBLE, /* a server of somebody else that speaks the provider's protocol */
};

struct tk_target {
    enum tk_endpoint endpoint;
    struct tk_str model; /* as the client writes it; `.p == NULL`: not known */
};

#endif
