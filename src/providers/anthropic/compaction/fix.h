/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits compaction blocks. A client that appends to its store instead of replacing it sends the
 * summary in the middle of the history that it sums up; the provider wants the summary first. Rows
 * of fixes.c name these functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_COMPACTION_FIX_H
#define TK_PROVIDERS_ANTHROPIC_COMPACTION_FIX_H

#include "engine/fix.h"

/* Sets the content of an empty block to null, which the provider accepts. */
int tk_fix_empty_compaction(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants everything before the newest block dropped, if the policy is `preserve` and no message
 * there has to be kept. Wants no edit for older blocks. */
struct tk_decision tk_want_compaction_first(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
/* Returns true unless a part of the protected turn precedes the newest compaction block. */
bool tk_may_put_compaction_first(const struct tk_plan *p, const struct tk_finding *f);

/* Drops the messages and blocks before the block. */
int tk_fix_compaction_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
