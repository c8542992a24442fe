/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of messages in the wrong place or role. Rows of fixes.c name them; rules/fix.h says what
 * `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_ROLES_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_ROLES_H

#include "rules/fix.h"

struct tk_decision tk_want_block_out(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_slide(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);
int tk_fix_drop_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_empty_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_block_out(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_slide(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
