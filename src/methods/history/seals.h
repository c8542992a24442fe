/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters `seals` and `provenance` (OPERATIONS.md C.3). */
#ifndef TK_METHODS_HISTORY_SEALS_H
#define TK_METHODS_HISTORY_SEALS_H

#include "engine/judge.h"
#include "methods/core/request.h"

/* Refuses a `provenance` that the provider or the dialect doesn't have. Sets *ret_answered if it
 * did. Returns 0 or an error. */
int tk_provenance_param(struct tk_request *rq, bool *ret_answered);

/* Reads `seals` for a judge. Refuses them for a provider or a dialect without seals, or if one is
 * invalid, and sets *ret_answered then. Returns 0 or an error. */
int tk_seals_param(struct tk_request *rq, struct tk_judge *j, bool *ret_answered);

#endif
