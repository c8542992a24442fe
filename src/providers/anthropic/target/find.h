/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges by target (CATALOGUE 3.1 to 3.3). Servers that imitate the Messages API are stricter about
 * the order of roles than the API itself; Bedrock wants the result of a tool search in the turn of
 * its call; some models don't continue an answer that the client began, or read no system messages
 * in the list.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TARGET_FIND_H
#define TK_PROVIDERS_ANTHROPIC_TARGET_FIND_H

#include "engine/judge.h"

/* Finds those faults. Pairs must have been judged before. Returns 0, -ENOMEM or -ECANCELED. */
int tk_judge_target(struct tk_judge *j);

#endif
