/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Features in beta (CATALOGUE 3.10, 3.11): the provider refuses their blocks and members unless the
 * request names the beta in its header `anthropic-beta`.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_BETAS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_BETAS_FIND_H

#include "engine/judge.h"

/* Finds blocks and members that the header doesn't allow. Returns 0 or -ENOMEM. */
int tk_judge_betas(struct tk_judge *j);

#endif
