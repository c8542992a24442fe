/* SPDX-License-Identifier: Apache-2.0 */
/* The splice step, for splice and prepare: reads the checked parameters and writes the outcome. */
#ifndef TK_METHODS_PREPARE_SPLICE_STEP_H
#define TK_METHODS_PREPARE_SPLICE_STEP_H

#include "methods/core/request.h"
#include "operations/splice/splice.h"

/* Reads the input of splice; the provider may lack the step. Returns 0 or -ENOMEM. */
int tk_splice_step_input(const struct tk_request *rq, struct tk_splice_input *ret);

/* Writes a member of the result: the messages to hand in again, if there are any. */
void tk_write_deferred(struct tk_writer *w, const struct tk_spliced *s);

#endif
