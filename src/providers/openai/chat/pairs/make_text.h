/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a tool message into a message of the user (PROVIDERS.md 3, "Textify"). */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PAIRS_MAKE_TEXT_H
#define TK_PROVIDERS_OPENAI_CHAT_PAIRS_MAKE_TEXT_H

#include "engine/fix.h"

/* Returns what becomes of a tool message that can't stay: textify, drop if it says nothing, or no edit
 * if it says nothing but has members that may be somebody's words. */
struct tk_decision tk_chat_want_text(struct tk_judge *j, uint32_t message);

/* Returns true for a tool message that no edit drops, whatever its content is: it has members that may be
 * somebody's words, reasoning, or what only an assistant says. */
bool tk_chat_has_to_stay(const struct tk_message *m);

/* Makes the message a text of the user, which comes after its row of tool messages and after the texts
 * that were put there before. Or drops it. Writes the line. Returns 0, -ENOMEM or -ECANCELED. */
int tk_chat_make_text(struct tk_plan *p, uint32_t message, uint16_t code, struct tk_decision d);

/* Puts a message, or a new one given as its bytes, at the end of the row of a message. */
int tk_chat_put_in_row(struct tk_plan *p, uint32_t message, uint32_t of);
int tk_chat_add_to_row(struct tk_plan *p, uint32_t of, struct tk_str encoded);

/* Adds a message, given as its bytes, after the row of a message and what was put there before. */
int tk_chat_add_after_row(struct tk_plan *p, uint32_t of, struct tk_str encoded);

#endif
