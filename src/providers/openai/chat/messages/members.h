/* SPDX-License-Identifier: Apache-2.0 */
/* Members of a message that strict servers refuse (PROVIDERS.md 3.1): check and fix. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_MESSAGES_MEMBERS_H
#define TK_PROVIDERS_OPENAI_CHAT_MESSAGES_MEMBERS_H

#include "engine/fix.h"
#include "engine/judge.h"

/* Finds the messages that have one. Returns 0 or -ENOMEM. */
int tk_chat_find_unknown_members(struct tk_judge *j);

/* Removes those that are nobody's words. Reasoning waits until its message says something else. */
struct tk_decision tk_chat_want_known_members(struct tk_plan *p, const struct tk_finding *f,
                                              const struct tk_policy *policy);
int tk_chat_fix_unknown_members(struct tk_plan *p, const struct tk_finding *f,
                                struct tk_decision d);

#endif
