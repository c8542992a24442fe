/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the policy of the rules (engine/policy.h) from checked parameters. */
#ifndef TK_METHODS_PARAMS_POLICY_H
#define TK_METHODS_PARAMS_POLICY_H

#include "engine/policy.h"
#include "methods/params/params.h"

/* Returns the policy of a request, the default if it has none. It refers to the request's
 * document. */
struct tk_policy tk_params_policy(const struct tk_params *params);

#endif
