/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of calls and their outputs (PROVIDERS.md 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_FIX_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_FIX_H

#include "engine/plan.h"

struct tk_decision tk_want_call_id_once(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
struct tk_decision tk_want_output_once(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_call_of(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
struct tk_decision tk_want_output_of(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

int tk_fix_repeated_call(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_output(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_open_call(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_interleaved(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
