/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Citations of search results that the repair itself removed. Findings see the input, where the
 * source was present, so this edit follows the others and has no row in fixes.c. Its lines in the
 * report have the code citation_dangling.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_REMOVED_SOURCE_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_REMOVED_SOURCE_H

#include "engine/edit/edit.h"

/* Removes citations of search hits whose result was removed; the cited text stays (RULES.md 6.5).
 * Signed turns keep theirs. Returns 0 or -ENOMEM. */
int tk_mend_citations(struct tk_edits *e);

#endif
