/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binding (OPERATIONS.md C.6): newer models bind signed thinking to all that precedes it. A seal
 * with a prefix tells whether that is still what it was; where there is none, an edit of repair in
 * front of the thinking counts as a difference (thinking/changed_prefix.h).
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_BOUND_FIND_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_BOUND_FIND_H

#include "rules/edit/edit.h"
#include "rules/judge.h"
#include "rules/plan.h"

/*
 * Compares sealed turns with the prefixes of their seals and finds what differs; findings are fresh
 * and stay. Linear, but for tools that are hashed again where a deferred one was mentioned. Returns
 * 0, -ENOMEM or -ECANCELED.
 */
int tk_judge_binding(struct tk_judge *j);

/* Takes out the thinking of turns whose prefix differs, and behind them, and behind edits. All of a
 * stage. Returns 0 or -ENOMEM. */
int tk_strip_unbound(struct tk_plan *p);

/* Under `error`: blames the first thinking without a prefix behind an edit. Returns 0 or -ENOMEM.
 */
int tk_judge_unbound(struct tk_judge *j, const struct tk_edits *e);

/* Whether the provider would meet thinking that is bound to another conversation. */
bool tk_has_unbound(struct tk_judge *j, const struct tk_edits *e);

#endif
