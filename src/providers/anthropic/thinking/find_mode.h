/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Thinking and how the request asks for it (CATALOGUE 3.5). `thinking` is on with a budget of
 * tokens (`enabled`, up to 4.6), on as the model sees fit (`adaptive`), or `disabled`. With a budget
 * the assistant's turns have to begin with thinking; without thinking the last message must have
 * none.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_FIND_MODE_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_FIND_MODE_H

#include "engine/judge.h"

/* Finds turns that don't fit the request's member `thinking`. Returns 0 or -ENOMEM. */
int tk_judge_thinking_mode(struct tk_judge *j);

/* Finds turns with a client's call whose thinking is missing, if the model of a compatible server
 * wants it back. An error if the request has thinking on; nothing if it is off. Returns 0 or -ENOMEM.
 */
int tk_judge_missing_thinking(struct tk_judge *j);

#endif
