/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of members of messages, and of messages that keep their place because of them. Rows of
 * fixes.c name them; rules/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_MEMBERS_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_MEMBERS_H

#include "rules/fix.h"

struct tk_decision tk_want_no_extras(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_fix_extras(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_filled(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_gone(struct tk_plan *p, const struct tk_finding *f,
                                const struct tk_policy *policy);

#endif
