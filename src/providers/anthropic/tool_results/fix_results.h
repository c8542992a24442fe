/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the client's results. Rows of fixes.c name them; rules/fix.h says what `want` and `act`
 * are. */
#ifndef TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_RESULTS_H
#define TK_PROVIDERS_ANTHROPIC_TOOL_RESULTS_FIX_RESULTS_H

#include "rules/fix.h"

int tk_fix_result_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_toolset_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_result_blocks(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Blocks that go behind the results of their user turn; a result elsewhere has none. */
struct tk_decision tk_want_unload(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
int tk_fix_unload(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_search_mixed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
