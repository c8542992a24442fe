/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits client pairs: the model calls a tool, the client runs it and sends the result in the next
 * user message, where results come first. An interrupted agent, a truncated store or a merge of two
 * histories breaks that, and the provider refuses the whole request. Rows of fixes.c name these
 * functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_FIX_H

#include "engine/fix.h"

/* Wants an error result inserted for an unanswered call, unless the policy is to report it. */
struct tk_decision tk_want_answer(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Wants a result without a call turned into text, unless the policy is to report it. */
struct tk_decision tk_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Wants a result in an assistant message moved to where its call's results belong, or turned into
 * text if it has no call. */
struct tk_decision tk_want_inside(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Wants a repeated call dropped if it is a copy of the other in the same turn; else wants a new id
 * for it. */
struct tk_decision tk_want_repeated(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);

/* Wants a call in a user message moved to an assistant message of its own if that keeps the turns
 * in order (`preserve`); else wants it dropped. */
struct tk_decision tk_want_call_in_user(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Inserts the result "Not executed." where results of the call belong. */
int tk_fix_answer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Turns the result into text, or moves it to where results of its call belong. */
int tk_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves the result before the other parts of its message, unless earlier edits left it there
 * already. */
int tk_fix_not_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops the copy, or gives the call and its result a new id. */
int tk_fix_repeated(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Splits the message at its calls, or drops the call. */
int tk_fix_call_in_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
