/* SPDX-License-Identifier: Apache-2.0 */
/* A refusal as the methods explain and report_miss get it: parameters `text` and `provider`. */
#ifndef TK_METHODS_REFUSALS_REFUSAL_H
#define TK_METHODS_REFUSALS_REFUSAL_H

#include "methods/core/request.h"
#include "wording/explain.h"

/* Finds the rules that the refusal belongs to. Returns 0 or -ENOMEM. */
int tk_explain_refusal(struct tk_request *rq, struct tk_explanation *ret);

#endif
