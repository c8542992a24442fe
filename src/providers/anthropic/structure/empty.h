/* SPDX-License-Identifier: Apache-2.0 */
/* Turns without content, which the provider refuses (CATALOGUE 3.3); see empty.c. */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_EMPTY_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_EMPTY_H

#include "engine/judge.h"

/* Finds turns without content, and content of a wrong type. Returns 0 or -ENOMEM. */
int tk_judge_emptiness(struct tk_judge *j);

#endif
