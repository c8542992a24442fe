/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits blank texts, and white space at the end of the last assistant turn, which the provider
 * refuses as a prefill. A blank text between two signed thinking blocks stays: without it the
 * provider would take the two for one. Rows of fixes.c name these functions; engine/fix.h says what
 * `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TEXT_FIX_H
#define TK_PROVIDERS_ANTHROPIC_TEXT_FIX_H

#include "engine/fix.h"

/* Wants a blank text dropped, and blank blocks inside a result removed. Of a separator of signed
 * thinking only a cache marker goes. Wants no edit under `report`. */
struct tk_decision tk_want_no_blank(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);

/* Makes that edit, and hands the cache marker of a dropped text to the block before it. */
int tk_fix_blank(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Trims white space at the end of the text. */
int tk_fix_trailing_space(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
