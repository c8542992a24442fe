/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits turns that differ from their seals: they are restored from the seals' blocks, or their
 * thinking, whose signatures are dead, is demoted or dropped. The step after find.c; see seals.h. A
 * turn's edits are made together, so its rows in fixes.c have no `act`; engine/fix.h says what
 * `want` is.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_FIX_H

#include "engine/fix.h"

/* Edits all turns that differ from their seals, newest first. Returns 0 or -ENOMEM. */
int tk_mend_sealed(struct tk_plan *p);

/* Wants the turn restored if the policy says so and the seals can; else wants its thinking demoted
 * or dropped if its signatures are dead. */
struct tk_decision tk_want_sealed(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

#endif
