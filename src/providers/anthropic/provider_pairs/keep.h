/* SPDX-License-Identifier: Apache-2.0 */
/* Parts that are kept of an id that several provider-executed parts share; see keep.c. */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_KEEP_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_KEEP_H

#include "engine/plan.h"

/* Decides for every group of this round. Returns 0 or -ENOMEM. */
int tk_plan_duplicates(struct tk_plan *p);

/* Returns true if a part of a repeated id stays. */
bool tk_keeps(const struct tk_plan *p, uint32_t part, const struct tk_policy *policy);

/* Returns true if the group's parts give way to those that stay, even if no rule blames them. */
bool tk_gives_way(const struct tk_plan *p, uint32_t group);

#endif
