/* SPDX-License-Identifier: Apache-2.0 */
/* Edits blocks that lack a required member or have one that the provider refuses. Rows of fixes.c
 * name these functions; engine/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_BLOCKS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_BLOCKS_FIX_H

#include "engine/fix.h"

/* Wants a block that lacks a required member dropped, unless it has an unknown one: it may be newer
 * than this build's table. */
struct tk_decision tk_want_block_gone(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);

/* Removes the known offenders from the block. */
int tk_fix_extra_inputs(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Wants a block replaced by the text that it says, or dropped if it says nothing. Wants no edit if
 * it has an unknown member. */
struct tk_decision tk_want_block_as_text(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);

/* Makes that edit. */
int tk_fix_block_as_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
