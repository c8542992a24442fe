/* SPDX-License-Identifier: Apache-2.0 */
/* The parameters `seals` and `provenance` (OPERATIONS.md C.3). */
#ifndef TK_METHODS_HISTORY_SEALS_H
#define TK_METHODS_HISTORY_SEALS_H

#include "methods/core/request.h"
#include "providers/anthropic/seals/seals.h"

/* Checks that `provenance` fits the dialect. Answers itself where it doesn't: *ret_answered.
 * Returns 0 or an error. */
int tk_provenance_param(struct tk_request *rq, bool *ret_answered);

/*
 * Reads `seals` and checks that nothing of part C was asked of another dialect. Answers itself
 * where that fails: *ret_answered. Returns 0 or an error.
 */
int tk_seals_param(struct tk_request *rq, struct tk_seals *ret, bool *ret_answered);

#endif
