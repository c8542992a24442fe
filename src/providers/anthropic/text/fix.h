/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of blank texts and white space. Rows of fixes.c name them; rules/fix.h says what `want` and
 * `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_TEXT_FIX_H
#define TK_PROVIDERS_ANTHROPIC_TEXT_FIX_H

#include "rules/fix.h"

struct tk_decision tk_want_no_blank(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);
int tk_fix_blank(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_trailing_space(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
