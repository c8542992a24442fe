/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of messages by themselves. Rows of fixes.c name these functions; engine/fix.h says what `want` and
 * `act` are. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_MESSAGES_FIX_H
#define TK_PROVIDERS_OPENAI_CHAT_MESSAGES_FIX_H

#include "engine/fix.h"

/* Under `preserve`, Gemini's role `model` becomes `assistant`; nobody knows what others mean. */
struct tk_decision tk_chat_want_role(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_chat_fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a rewrite under `preserve` alone. */
struct tk_decision tk_chat_want_preserving(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy);
/* Makes the message the user's. */
int tk_chat_fix_unsupported_role(struct tk_plan *p, const struct tk_finding *f,
                                 struct tk_decision d);
/* Makes the message the system's. */
int tk_chat_fix_developer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Gives a message the content "", unless its members may be all that it says. */
struct tk_decision tk_chat_want_content(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_chat_fix_content_null(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Puts an object with a type into a list, and any other value into a string, as JSON. */
int tk_chat_fix_content_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

int tk_chat_fix_empty_calls(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_message_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Joins the texts of a content that has nothing else. */
struct tk_decision tk_chat_want_string(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_chat_fix_list_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops a message that says nothing; one with reasoning gets a text. */
struct tk_decision tk_chat_want_no_empty(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_chat_fix_empty_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

int tk_chat_fix_no_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Returns the texts of a message's content, refusals included, joined by LF without empty ones; `.p ==
 * NULL` if it has something else, or when out of memory. */
struct tk_str tk_chat_texts(const struct tk_transcript *t, uint32_t message);

#endif
