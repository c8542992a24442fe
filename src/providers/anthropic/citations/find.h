/* SPDX-License-Identifier: Apache-2.0 */
/* Citations (CATALOGUE 3.8): a text block may name the search hit or the document that it quotes.
 * The provider checks that the source is in the request, and that its own index came back. */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIND_H

#include "engine/edit/edit.h"
#include "engine/judge.h"

/* Returns true for a citation of a search hit without `encrypted_index`, which only the provider
 * can make. */
bool tk_citation_lacks_index(struct tk_val citation);

/* Returns true if the document block allows citations of itself. */
bool tk_gives_citations(struct tk_val document);

/* Removes the citations of a text for which is_dead() returns true, and the whole member if none is
 * left. The text stays. Adds a line to the report if anything was removed. Returns 0 or -ENOMEM. */
int tk_drop_citations(struct tk_edits *e, uint32_t part, uint16_t code,
                      bool (*is_dead)(void *arg, struct tk_val citation), void *arg);

/* Finds citations without index or source, and documents that differ in giving citations. Returns 0
 * or -ENOMEM. */
int tk_judge_citations(struct tk_judge *j);

#endif
