/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits citations that the provider would refuse. The quoted text is the answer and stays; only the
 * reference goes. Rows of fixes.c name these functions; rules/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_H

#include "rules/fix.h"

/* Removes the text's citations of search hits that lack the provider's index. */
int tk_fix_bare_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Allows citations of a document, as the request's other documents do: the provider wants all or
 * none. */
int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
