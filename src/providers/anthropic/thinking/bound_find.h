/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binding (OPERATIONS.md C.6): newer models bind signed thinking to all that precedes it in the
 * request, and refuse or drop it after another prefix. A seal with a prefix tells whether the
 * prefix still is what it was. Without one, an edit of repair before the thinking counts as a
 * difference (thinking/changed_prefix.h).
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_BOUND_FIND_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_BOUND_FIND_H

#include "engine/edit/edit.h"
#include "engine/judge.h"
#include "engine/plan.h"

/*
 * Compares sealed turns with the prefixes of their seals and finds those that differ. It adds
 * findings and removes none. Linear, except that tools are hashed again after a deferred one was
 * mentioned. Returns 0, -ENOMEM or -ECANCELED.
 */
int tk_judge_binding(struct tk_judge *j);

/* Drops the thinking of turns whose prefix differs, and of the turns after them and after edits:
 * all the edits of a stage. Returns 0 or -ENOMEM. */
int tk_strip_unbound(struct tk_plan *p);

/* If the policy is `error`: blames the first thinking after an edit that no seal's prefix vouches
 * for. Returns 0 or -ENOMEM. */
int tk_judge_unbound(struct tk_judge *j, const struct tk_edits *e);

/* Returns true if the request has thinking that is bound to another prefix. */
bool tk_has_unbound(struct tk_judge *j, const struct tk_edits *e);

#endif
