/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits citations that the provider would refuse. The quoted text is the answer and stays; only the
 * reference goes. Rows of fixes.c name these functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_H

#include "engine/fix.h"

/* Removes the text's citations of search hits that lack the provider's index. */
int tk_fix_bare_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants citations allowed, unless no document may allow them and the policy leaves that as it is. (If
 * it doesn't, the other rule's edits come first, and nothing is left to edit here.) */
struct tk_decision tk_want_document_citations(struct tk_plan *p, const struct tk_finding *f,
                                              const struct tk_policy *policy);

/* Allows citations of a document, as the request's other documents do: the provider wants all or
 * none. */
int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants citations forbidden, for a request whose answer has to have a form. Only `preserve` edits:
 * the client may rather want the citations. */
struct tk_decision tk_want_no_citations(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Forbids citations of a document, or of all documents of a result. */
int tk_fix_citing_document(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
