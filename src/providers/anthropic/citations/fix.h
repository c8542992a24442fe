/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of citations. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_H

#include "rules/fix.h"

int tk_fix_bare_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
