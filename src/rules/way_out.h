/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way out of a refusal (PROTOCOL 5.2): for each error that is left, one sentence that says what
 * the caller can do.
 *
 * The sentence follows from what forbids the edit: a key of the policy (then the value that allows
 * it), the protected turn, or that no edit is known. In the last two cases the caller goes back: it
 * drops messages from the end until the rest can be made safe.
 */
#ifndef TK_RULES_WAY_OUT_H
#define TK_RULES_WAY_OUT_H

#include "rules/provider.h"
#include "rules/repair.h"

/*
 * Finds a number of messages, counted from the start of the input, that repair in guard mode makes
 * safe: before the first fault, and, where these can't be made safe by themselves, fewer. 0: there
 * are none. Errors about the request as a whole don't count. Linear. Returns 0, -ENOMEM or
 * -ECANCELED.
 */
int tk_way_back(const struct tk_repair *r, uint32_t *ret_before);

/* Returns the sentence for an error that is left. before: of tk_way_back(). In the arena; p is NULL
 * without memory. */
struct tk_str tk_way_out(struct tk_plan *p, const struct tk_finding *f, uint32_t before);

/* Returns the other half of a part's provider-executed pair, TK_NONE if there is none. */
uint32_t tk_other_half(const struct tk_plan *p, uint32_t part);

#endif
