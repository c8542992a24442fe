/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Takes off cache markers that the provider would refuse. A marker only makes later requests
 * cheaper, so dropping one loses nothing that anybody said. Rows of fixes.c name these functions;
 * engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CACHE_FIX_H
#define TK_PROVIDERS_ANTHROPIC_CACHE_FIX_H

#include "engine/fix.h"

/* Wants markers taken off, unless there are too many outside the messages alone. */
struct tk_decision tk_want_fewer_markers(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);

/* Takes the first markers off until four are left: the last ones cover the longest prompt. Makes no
 * edit if the protected turn holds so many that this isn't enough. */
int tk_fix_too_many_markers(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Takes a part's own marker off. */
int tk_fix_marker_off(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants the last block's marker taken off, under `preserve`: the request's own marker marks it. */
struct tk_decision tk_want_one_lifetime(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Wants the part's markers rewritten; no edit for markers outside the messages. */
struct tk_decision tk_want_marker_order(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Shortens to five minutes each marker of an hour that follows one of five minutes. */
int tk_fix_marker_order(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
