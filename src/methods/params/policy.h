/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the policy of the rules (engine/policy.h, providers/policy.h) from checked parameters. */
#ifndef TK_METHODS_PARAMS_POLICY_H
#define TK_METHODS_PARAMS_POLICY_H

#include "methods/params/params.h"
#include "providers/policy.h"

/* The policy of a request, the default if it has none. It refers to the request's document. */
struct tk_params_policy {
    struct tk_policy policy;
    struct tk_provider_policy own; /* policy.own points to it */
};

void tk_params_policy(const struct tk_params *p, struct tk_params_policy *ret);

#endif
