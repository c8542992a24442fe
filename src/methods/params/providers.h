/* SPDX-License-Identifier: Apache-2.0 */
/* The provider that a request names. */
#ifndef TK_METHODS_PARAMS_PROVIDERS_H
#define TK_METHODS_PARAMS_PROVIDERS_H

#include "methods/params/params.h"
#include "rules/provider.h"

/* Returns the provider that a word names, or the registry's first one for TK_WORD_NONE. */
const struct tk_provider *tk_provider_of(enum tk_word word);

/* Returns the provider whose rules the history must obey. */
static inline const struct tk_provider *tk_params_provider(const struct tk_params *p)
{
    return tk_provider_of(tk_param_word(p, TK_P_PROVIDER));
}

#endif
