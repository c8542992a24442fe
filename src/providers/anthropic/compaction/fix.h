/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of compaction blocks. Rows of fixes.c name them; rules/fix.h says what `want` and `act`
 * are. */
#ifndef TK_PROVIDERS_ANTHROPIC_COMPACTION_FIX_H
#define TK_PROVIDERS_ANTHROPIC_COMPACTION_FIX_H

#include "rules/fix.h"

int tk_fix_empty_compaction(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_compaction_first(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
/* True unless part of the protected turn is before the newest compaction block. */
bool tk_may_put_compaction_first(const struct tk_plan *p, const struct tk_finding *f);
int tk_fix_compaction_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
