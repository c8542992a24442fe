/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the order of roles. Rows of fixes.c name these functions; engine/fix.h says what `want` and
 * `act` are. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_ORDER_FIX_H
#define TK_PROVIDERS_OPENAI_CHAT_ORDER_FIX_H

#include "engine/fix.h"
#include "engine/repair.h"

/* Makes a late system message one of the user, in its place. */
struct tk_decision tk_chat_want_late_system(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
int tk_chat_fix_late_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Joins a message to the one before it. */
struct tk_decision tk_chat_want_joined(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_chat_fix_same_roles(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Puts an assistant's message "." before the message. */
int tk_chat_fix_user_after_tool(struct tk_plan *p, const struct tk_finding *f,
                                struct tk_decision d);
/* Puts a user's message "Continue." after the message, unless the policy says that it is meant. */
struct tk_decision tk_chat_want_last_user(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy);
int tk_chat_fix_last_assistant(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* A step: joins the neighbours that policy.merge_adjacent names. */
bool tk_chat_is_merging(const struct tk_repair *r);
int tk_chat_merge(struct tk_repair *r, const struct tk_step *step);

#endif
