/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits what the target refuses. Rows of fixes.c name these functions; engine/fix.h says what `want`
 * and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TARGET_FIX_H
#define TK_PROVIDERS_ANTHROPIC_TARGET_FIX_H

#include "engine/fix.h"

/* Wants a user message before the history. Only `preserve` makes up what the user said. */
struct tk_decision tk_want_user_first(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);

/* Adds the user message ".". */
int tk_fix_user_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a user message after the history, under `preserve`; not while the last turn waits for
 * results or ends in thinking, which other rules see to. */
struct tk_decision tk_want_user_last(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Adds the user message "Continue.". */
int tk_fix_user_last(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants the message merged into the one before it. */
struct tk_decision tk_want_merge(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Merges a message whose results are out of place, since a merge puts them first. For all others
 * engine/merge_messages.c does it after the other edits. */
int tk_fix_merge(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a system message rewritten as a user message once it has only text left that no other rule
 * edits, or dropped if it has no content. */
struct tk_decision tk_want_as_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Makes that edit: "<system>TEXT</system>". */
int tk_fix_as_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
