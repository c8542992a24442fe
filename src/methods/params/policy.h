/* SPDX-License-Identifier: Apache-2.0 */
/* From checked parameters to what the rules core understands. */
#ifndef TK_METHODS_PARAMS_POLICY_H
#define TK_METHODS_PARAMS_POLICY_H

#include "methods/params/params.h"
#include "rules/policy.h"

/* The policy of a request that may have one; refers to the request's document. */
struct tk_policy tk_params_policy(const struct tk_params *params);

#endif
