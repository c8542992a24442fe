/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The way out of a refusal (PROTOCOL 5.2): one sentence for each remaining error that says what the
 * caller can do.
 *
 * The sentence depends on what forbids the edit: a key of the policy (the sentence names the value
 * that allows the edit), the protected turn, or that no edit is known. In the last two cases the
 * caller can go back: it drops messages from the end until the rest can be made safe.
 */
#ifndef TK_ENGINE_WAY_OUT_H
#define TK_ENGINE_WAY_OUT_H

#include "engine/repair.h"
#include "engine/ruleset.h"

/*
 * Finds how many messages from the start of the input repair in guard mode can make safe: those
 * before the first fault, or fewer if these can't be made safe by themselves. *ret_before: 0 if
 * there are none. Errors about the request as a whole don't count. Linear. Returns 0, -ENOMEM or
 * -ECANCELED.
 */
int tk_way_back(const struct tk_repair *r, uint32_t *ret_before);

/* Returns the sentence for an error that remains, allocated in the arena; `.p == NULL` when out of
 * memory. before: from tk_way_back(). */
struct tk_str tk_way_out(struct tk_plan *p, const struct tk_finding *f, uint32_t before);

#endif
