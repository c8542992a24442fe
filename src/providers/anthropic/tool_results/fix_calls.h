/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the client's calls. Rows of fixes.c name them; rules/fix.h says what `want` and `act`
 * are. */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_CALLS_H
#define TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_CALLS_H

#include "rules/fix.h"

int tk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
