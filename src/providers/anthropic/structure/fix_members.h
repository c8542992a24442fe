/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits members of messages that SDKs and stores added to what the provider knows (ids, timestamps,
 * text in the form of another provider); it refuses unknown members. Also decides about empty
 * messages, which a member of their own may keep. Rows of fixes.c name these functions;
 * engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_MEMBERS_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_MEMBERS_H

#include "engine/fix.h"

/* Wants the message rewritten if one of its extra members may go: an empty one, bookkeeping, a number
 * or boolean; unless they are all that the message says, words in the form of another provider, and,
 * if policy.extra_members is `drop`, any other. */
struct tk_decision tk_want_no_extras(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Removes those members. */
int tk_fix_extras(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants an empty user message filled, unless a member keeps it. */
struct tk_decision tk_want_filled(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* Wants an empty message dropped, unless a member keeps it. */
struct tk_decision tk_want_gone(struct tk_plan *p, const struct tk_finding *f,
                                const struct tk_policy *policy);

#endif
