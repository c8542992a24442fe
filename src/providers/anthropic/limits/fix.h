/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a request smaller where it holds too much: its oldest images and documents become a text
 * such as "[image removed]". The model has seen them when they were new, and what it said about them
 * stays. Rows of fixes.c name these functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_LIMITS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_LIMITS_FIX_H

#include "engine/fix.h"

/* Want the oldest media replaced by text, if that is enough. Only `preserve` edits a request that
 * has too many bytes. */
struct tk_decision tk_want_fewer_bytes(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_fewer_images(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Make these edits: no more than are needed. */
int tk_fix_too_many_bytes(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_too_many_images(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
