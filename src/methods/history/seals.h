/* SPDX-License-Identifier: Apache-2.0 */
/* Seals as a parameter, and what is answered because of them (OPERATIONS.md C.3, C.6, C.7 O4). */
#ifndef TK_METHODS_HISTORY_SEALS_H
#define TK_METHODS_HISTORY_SEALS_H

#include "methods/core/request.h"
#include "providers/anthropic/seals/seals.h"
#include "rules/repair.h"

/* Checks that `provenance` fits the dialect. Answers itself where it doesn't: *ret_answered.
 * Returns 0 or an error. */
int tk_provenance_param(struct tk_request *rq, bool *ret_answered);

/*
 * Reads `seals` and checks that nothing of part C was asked of another dialect. Answers itself
 * where that fails: *ret_answered. Returns 0 or an error.
 */
int tk_seals_param(struct tk_request *rq, struct tk_seals *ret, bool *ret_answered);

/* Writes the member `verdicts`, of the history as it was sent, where seals were. */
void tk_write_verdicts(struct tk_writer *w, const struct tk_transcript *t,
                       const struct tk_seals *received);

/* Writes the members `set` and `betas`: what the caller has to change in the request; else nothing.
 */
void tk_write_advice(struct tk_writer *w, struct tk_repair *r);

#endif
