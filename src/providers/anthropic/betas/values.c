/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/betas/values.h"

const struct tk_str tk_beta_values[TK_BETA_KNOWN] = {
#define VALUE(id, value) [TK_BETA_##id] = TK_STR_INIT(value),
    TK_BETAS(VALUE) TK_OTHER_BETAS(VALUE)
#undef VALUE
};
