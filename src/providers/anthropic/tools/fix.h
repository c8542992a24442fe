/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits parts that use a tool which the request doesn't offer. Tools change between requests; the
 * history then still refers to those that are gone. Rows of fixes.c name these functions;
 * engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOLS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_TOOLS_FIX_H

#include "engine/fix.h"

/* Puts the tool's name as text in the place of each reference in the client's result; takes the
 * references out of a result of the provider's search for tools. */
int tk_fix_references(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
