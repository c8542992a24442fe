/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of cache markers. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_CACHE_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CACHE_FIX_H

#include "rules/fix.h"

struct tk_decision tk_want_fewer_markers(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_fix_too_many_markers(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_marked_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_marker_order(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_fix_marker_order(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
