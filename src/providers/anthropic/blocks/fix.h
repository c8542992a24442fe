/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the shape of blocks. Rows of fixes.c name them; rules/fix.h says what `want` and `act`
 * are. */
#ifndef TK_PROVIDERS_ANTHROPIC_BLOCKS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_BLOCKS_FIX_H

#include "rules/fix.h"

/* A block that lacks something goes, unless it has a member that nobody knows. */
struct tk_decision tk_want_block_gone(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);
int tk_fix_extra_inputs(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* A block leaves what it says as text in its place; one that says nothing goes. */
struct tk_decision tk_want_block_as_text(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_fix_block_as_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
