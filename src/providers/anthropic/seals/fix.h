/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of all of a stage. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_FIX_H

#include "rules/fix.h"

int tk_mend_sealed(struct tk_plan *p);
struct tk_decision tk_want_sealed(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

#endif
