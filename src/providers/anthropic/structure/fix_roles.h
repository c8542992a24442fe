/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits system messages in a wrong place, with a wrong block, or without content. The provider
 * accepts one only after a message of the user or a result of a server tool, and only before the
 * assistant speaks. Rows of fixes.c name these functions; engine/fix.h says what `want` and `act`
 * are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_ROLES_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_FIX_ROLES_H

#include "engine/fix.h"

/* Wants the block moved to the message before the system messages, if that is the user's. */
struct tk_decision tk_want_block_out(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants the system messages moved after the user's last message that follows them, if there is one
 * before the assistant's next. */
struct tk_decision tk_want_slide(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Drops the message, unless it is kept or separates another assistant message from the protected
 * turn. */
int tk_fix_drop_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops an empty system message, or writes "(empty)" if its place must not close. */
int tk_fix_empty_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves the block to the end of that user message. */
int tk_fix_block_out(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves all system messages of the run in their order, except for directives, which may be
 * anywhere. */
int tk_fix_slide(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
