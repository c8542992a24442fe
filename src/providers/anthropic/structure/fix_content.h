/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits content that is missing or of a wrong type. Stores write `null` or a bare block where a list
 * belongs; the provider refuses the whole request then. Rows of fixes.c name these functions; engine/fix.h says what `want` and
 * `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_CONTENT_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_CONTENT_H

#include "engine/fix.h"

/* Wants an object that is a block of this dialect wrapped into a list, and absent content or null filled or dropped as an empty
 * message; wants no edit for any other value. */
struct tk_decision tk_want_content(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Wraps content that is one block into a list; otherwise treats the message as empty. */
int tk_fix_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
