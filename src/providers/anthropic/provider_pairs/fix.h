/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of provider-executed pairs. Rows of fixes.c name them; rules/fix.h says what `want` and
 * `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FIX_H

#include "rules/fix.h"

struct tk_decision tk_want_outside(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
struct tk_decision tk_want_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_orphan_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_orphan_result(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
struct tk_decision tk_want_before_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_valid_pair(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);
int tk_fix_pair(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_caller(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
