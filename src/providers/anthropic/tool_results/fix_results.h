/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits the client's results. The provider restricts what a result may hold: an error only text,
 * search results nothing else, a toolset only what that toolset returns. Tools don't know this, so
 * what doesn't fit moves next to the result or becomes text. Rows of fixes.c name these functions;
 * engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_RESULTS_H
#define TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_RESULTS_H

#include "engine/fix.h"

/* Replaces content of a wrong type by its JSON as text. */
int tk_fix_result_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Sets the result's toolset to the call's, or removes it if the call has none. */
int tk_fix_toolset_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Replaces the blocks that the result must not hold by text. */
int tk_fix_result_blocks(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Wants blocks moved after the results of the user turn; wants no edit for a result in another
 * role's message. */
struct tk_decision tk_want_unload(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Moves the blocks out of the result. */
int tk_fix_unload(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves other blocks out of a result with search results; texts go into the first hit. */
int tk_fix_search_mixed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
