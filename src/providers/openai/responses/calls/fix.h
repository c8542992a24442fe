/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the names and arguments of calls. All rewrite the call. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_CALLS_FIX_H
#define TK_PROVIDERS_OPENAI_RESPONSES_CALLS_FIX_H

#include "engine/plan.h"

int tk_fix_argument_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_arguments(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_call_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
