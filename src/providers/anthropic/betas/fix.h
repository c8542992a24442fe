/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of what the header doesn't allow. Rows of fixes.c name them; rules/fix.h says what `want`
 * and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_BETAS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_BETAS_FIX_H

#include "rules/fix.h"

struct tk_decision tk_want_no_advice(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_out(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);
struct tk_decision tk_want_no_output_config(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
struct tk_decision tk_want_no_clear_at(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_fix_clear_at(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_summary(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
int tk_fix_summary(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
