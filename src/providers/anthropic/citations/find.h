/* SPDX-License-Identifier: Apache-2.0 */
/* Citations, as citations/find.c judges them and fixes take them out. */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIND_H

#include "rules/edit/edit.h"

/* A search citation without the index that only the provider can make. */
bool tk_citation_lacks_index(struct tk_val citation);

/* Whether a document gives citations. */
bool tk_gives_citations(const struct tk_part *p);

/*
 * Takes out those citations of a text that are dead, the member too where none is left; the text
 * stays. One line of the report, none if nothing is dead. Returns 0 or -ENOMEM.
 */
int tk_drop_citations(struct tk_edits *e, uint32_t part, uint16_t code,
                      bool (*is_dead)(void *arg, struct tk_val citation), void *arg);

#endif
