/* SPDX-License-Identifier: Apache-2.0 */
/* Joins neighbours of one role (PROVIDERS.md 3). */
#ifndef TK_PROVIDERS_OPENAI_CHAT_ORDER_JOIN_H
#define TK_PROVIDERS_OPENAI_CHAT_ORDER_JOIN_H

#include "engine/edit/edit.h"

/* Returns true if the second message can join the first, which is right before it: both are the user's,
 * or the assistant's and the first has no calls, and no member but the second's calls would be lost.
 * names: they may have names, too. */
bool tk_chat_may_join(const struct tk_transcript *t, uint32_t first, uint32_t second, bool names);

/*
 * Joins to a message those after it, as long as they can join and asked() returns true for the pair of
 * neighbours as they were. Writes a line for each. Linear in what is joined. Returns 0, -ENOMEM or
 * -ECANCELED.
 */
int tk_chat_join(struct tk_edits *e, uint32_t first, uint16_t code, bool names,
                 bool (*asked)(const struct tk_transcript *t, uint32_t first, uint32_t second));

#endif
