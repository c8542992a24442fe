/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of client pairs. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_FIX_H

#include "rules/fix.h"

struct tk_decision tk_want_answer(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);
struct tk_decision tk_want_inside(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_repeated(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);
struct tk_decision tk_want_call_in_user(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_fix_answer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_not_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_repeated(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Renames calls that lost their ids in this round (displaced.h), those before a place (TK_NONE:
 * all). Returns 0, -ENOMEM or -ECANCELED. */
int tk_rename_displaced(struct tk_plan *p, uint32_t at);
int tk_fix_call_in_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
