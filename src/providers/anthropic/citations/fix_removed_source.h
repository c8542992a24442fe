/* SPDX-License-Identifier: Apache-2.0 */
/* Citations whose source a repair removed. */
#ifndef TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_REMOVED_SOURCE_H
#define TK_PROVIDERS_ANTHROPIC_CITATIONS_FIX_REMOVED_SOURCE_H

#include "rules/edit/edit.h"

/*
 * Removes citations of search hits whose result is gone; the cited text stays (RULES.md 6.5).
 * Signed turns keep theirs. Returns 0 or -ENOMEM.
 */
int tk_mend_citations(struct tk_edits *e);

#endif
