/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of content that is missing or unreadable. Rows of fixes.c name them; rules/fix.h says what
 * `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_CONTENT_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_CONTENT_H

#include "rules/fix.h"

struct tk_decision tk_want_content(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
int tk_fix_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_no_surrogate(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_fix_surrogates(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
