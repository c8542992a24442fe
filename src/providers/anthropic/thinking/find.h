/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thinking blocks (CATALOGUE 3.5): a model's reasoning, which the provider signs and later accepts
 * only as it was sent, with the turn that it belongs to.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_FIND_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_FIND_H

#include "engine/judge.h"

/* Finds thinking that the provider would refuse: unsigned, cut, in a user message, out of order, or
 * at the end of a turn. Returns 0 or -ENOMEM. */
int tk_judge_thinking(struct tk_judge *j);

#endif
