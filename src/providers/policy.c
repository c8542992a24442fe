/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/policy.h"

const struct tk_provider_policy tk_provider_policy_default = {
    .serializable_tools = {NULL, TK_NO_NODE},
};
