/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of thinking blocks. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_FIX_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_FIX_H

#include "rules/fix.h"

/* Thinking that nobody vouches for any more becomes text, or goes. Returns 0 or -ENOMEM. */
int tk_let_go(struct tk_plan *p, uint32_t part, uint16_t code, enum tk_action action);
struct tk_decision tk_want_unsigned(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);
struct tk_decision tk_want_unordered(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_in_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
int tk_fix_dead_block(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_dead_turn(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_malformed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_missing_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_final_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
