/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of all of a stage. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_ROUTE_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_ROUTE_H

#include "rules/fix.h"

int tk_drop_for_route(struct tk_plan *p);
int tk_prune_prior(struct tk_plan *p);

#endif
