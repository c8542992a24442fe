/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compaction blocks (CATALOGUE 3.11): the provider sums up a long history in one block, and what
 * precedes that block needn't be sent any more.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_COMPACTION_FIND_H
#define TK_PROVIDERS_ANTHROPIC_COMPACTION_FIND_H

#include "engine/judge.h"

/* Finds compaction blocks that are empty, and signed ones that don't begin the history. Notes the
 * newest signed one for the fixes. Returns 0 or -ENOMEM. */
int tk_judge_compaction(struct tk_judge *j);

/* Finds edits of `context_management` that are out of order, or compact too early. Returns 0 or
 * -ENOMEM. */
int tk_judge_context_edits(struct tk_judge *j);

#endif
