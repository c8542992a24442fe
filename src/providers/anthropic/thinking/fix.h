/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits thinking blocks: a model's reasoning, which the provider signs. A signature can't be made
 * again, so thinking that lost it, or its place, can only become plain text (demoted) or go. Rows
 * of fixes.c name these functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_FIX_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_FIX_H

#include "engine/fix.h"

/* Drops a thinking block, or demotes it to text if it says something and the action isn't
 * TK_ACTION_DROP. Returns 0 or -ENOMEM. */
int tk_let_go(struct tk_plan *p, uint32_t part, uint16_t code, enum tk_action action);

/* Wants unsigned thinking dropped or demoted, as the policy says. */
struct tk_decision tk_want_unsigned(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);

/*
 * Wants thinking in doubtful order left, dropped or demoted, as the policy says of dead thinking.
 */
struct tk_decision tk_want_unordered(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants thinking in a user message demoted, or dropped if it says nothing. */
struct tk_decision tk_want_in_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Drops or demotes the block. */
int tk_fix_dead_block(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/*
 * Drops or demotes all thinking of the turn, except in messages that a seal proves to be in order.
 */
int tk_fix_dead_turn(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops or demotes the block; in the newest turn all thinking of the turn, since the rest wouldn't
 * be what the provider sent. */
int tk_fix_malformed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops or demotes all thinking of the message: the request switches thinking off. */
int tk_fix_unwanted(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Adds an empty text to a thinking block that has none. */
int tk_fix_missing_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Adds the text that marks an interrupted turn after the thinking that ends it. */
int tk_fix_final_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
