/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Drops thinking that has no fault: it has to go because of where the request is sent (route), or
 * because the caller wants old thinking pruned. No finding asks for it, so these functions have no
 * row in fixes.c; steps.c calls them.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_ROUTE_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_ROUTE_H

#include "engine/fix.h"

/* Drops the thinking that the policy's route doesn't take: all of it for third parties, signed and
 * redacted thinking for DeepSeek. Returns 0 or -ENOMEM. */
int tk_drop_for_route(struct tk_plan *p);

/* Drops the thinking before the user's last message, except in the newest turn, if the policy
 * prunes. Returns 0 or -ENOMEM. */
int tk_prune_prior(struct tk_plan *p);

#endif
