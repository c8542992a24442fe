/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits the client's calls. Models now and then write an input that isn't JSON, and clients store
 * it as the text it was; the provider takes objects only, and names of 1 to 200 characters. Rows of
 * fixes.c name these functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_CALLS_H
#define TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_CALLS_H

#include "engine/fix.h"

/* Gives the call the name "unknown_tool" in place of an empty one, or shortens a long one, with a
 * digest that tells it from others. */
int tk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Makes the input an object: the one whose JSON text it is, or one that wraps it. */
int tk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
