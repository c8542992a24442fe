/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits provider-executed pairs: calls of tools that the provider runs itself (web search, code
 * execution, MCP), and their results. Both are in the assistant's turn, and the provider refuses
 * the history if one comes back without the other. A result flattened to text keeps what the tool
 * found; a call alone says nothing, so it is dropped. Rows of fixes.c name these functions;
 * engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FIX_H

#include "engine/fix.h"

/* Wants a result in a user message moved to its call, under `preserve`, if the call is in the turn
 * before and that turn isn't signed. Else wants a call dropped and a result turned into text. */
struct tk_decision tk_want_outside(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Wants the parts of a repeated id that keep.c doesn't keep dropped (calls) or turned into text
 * (results). */
struct tk_decision tk_want_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants an error result inserted for the call if the policy says so and the call can be sent with
 * it; else wants the call dropped. Wants no edit if its result is about to move to it. */
struct tk_decision tk_want_orphan_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Wants the result dropped or turned into text, as the policy says. */
struct tk_decision tk_want_orphan_result(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);

/* Wants the result moved after its call, or the pair flattened, as the policy says. */
struct tk_decision tk_want_before_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Wants the pair rewritten so that it can be sent, if the policy and mend.c can do it without loss;
 * else wants the pair flattened. */
struct tk_decision tk_want_valid_pair(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);

/* Makes the decided edit of a call or result. */
int tk_fix_pair(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Makes that edit, and flattens the parts of older turns that have to give way to this id. */
int tk_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Removes the caller of a part. */
int tk_fix_caller(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
