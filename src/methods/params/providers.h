/* SPDX-License-Identifier: Apache-2.0 */
/* The provider that a request names, and the shape of its messages. */
#ifndef TK_METHODS_PARAMS_PROVIDERS_H
#define TK_METHODS_PARAMS_PROVIDERS_H

#include "methods/core/request.h"
#include "providers/provider.h"

/* Returns the provider that a word names, or the registry's first one for TK_WORD_NONE. */
const struct tk_provider *tk_provider_of(enum tk_word word);

/* Returns the provider whose rules the history must obey. */
static inline const struct tk_provider *tk_params_provider(const struct tk_params *p)
{
    return tk_provider_of(tk_param_word(p, TK_P_PROVIDER));
}

/* Returns the shape that the parameters ask for; the provider's own if they name none. */
const struct tk_shape *tk_params_dialect(const struct tk_params *p);

/* Returns the shape that unchecked parameters ask for. Unknown names, and dialects that the provider doesn't
 * have, count as absent: the check of parameters refuses them. */
const struct tk_shape *tk_dialect_named_in(struct tk_val params);

/*
 * Refuses what the provider doesn't have: a dialect that isn't one of its shapes, an endpoint that isn't
 * one of its rows; and, if it has no table for them, beta values, seals, calls that were carried in,
 * and turns that were put together again. params: as sent. Returns 0 or an error; rq->state tells if the
 * request is answered.
 */
int tk_check_provider(struct tk_request *rq, struct tk_val params);

/* Returns where the request goes: the endpoint that the parameters name, or the provider's first. */
enum tk_endpoint tk_params_endpoint(const struct tk_params *p);

/* Returns the server that the parameters name, or TK_SERVER_UNKNOWN. */
enum tk_server tk_params_server(const struct tk_params *p);

/* Refuses the provider that a parameter names, since it can't do what the method does. The
 * parameter may be absent. Returns what tk_answer_error() does. */
int tk_refuse_provider(struct tk_request *rq, enum tk_param parameter);

#endif
