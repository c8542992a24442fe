/* SPDX-License-Identifier: Apache-2.0 */
/* What follows from the edits once no round makes any more. */
#ifndef TK_RULES_AFTERMATH_H
#define TK_RULES_AFTERMATH_H

#include "providers/anthropic/seals/seals.h"
#include "rules/edit/edit.h"
#include "rules/policy.h"

/*
 * Citations of search hits whose result is gone lose the pointer, not the text (RULES.md 6.5).
 * Signed turns keep theirs. Returns 0 or -ENOMEM.
 */
int tk_mend_citations(struct tk_edits *e);

/* Joins neighbours of one role where the policy asks for it; never signed or sealed ones. Returns 0
 * or -ENOMEM; *ret_merged tells whether it did. */
int tk_merge_neighbours(struct tk_edits *e, const struct tk_policy *policy,
                        const struct tk_seals *seals, bool *ret_merged);

#endif
