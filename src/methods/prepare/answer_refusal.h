/* SPDX-License-Identifier: Apache-2.0 */
/* Answers an operation's refusal as an error of the protocol. */
#ifndef TK_METHODS_PREPARE_ANSWER_REFUSAL_H
#define TK_METHODS_PREPARE_ANSWER_REFUSAL_H

#include "methods/core/request.h"
#include "operations/refusal.h"

/* Answers with the refusal's error. Returns what tk_answer_end() does. */
int tk_answer_refusal(struct tk_request *rq, const struct tk_refusal *refusal);

#endif
