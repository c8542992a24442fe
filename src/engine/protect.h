/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The protected turn (RULES.md section 3). The provider compares the thinking of the newest
 * assistant turn with what it signed, in its place among the turn's other blocks; one block moved
 * by one place and the chat is stuck. So all messages of the newest assistant turn are left
 * alone if one of them holds signed thinking. Computed on the input, once.
 */
#ifndef TK_ENGINE_PROTECT_H
#define TK_ENGINE_PROTECT_H

#include "history/history.h"

/* Marks the messages of the protected turn and of no other, and notes its newest signed message for
 * the report. Call it after tk_turns(). */
void tk_protect(struct tk_transcript *t);

/* Returns true if the message holds signed thinking. */
bool tk_message_is_signed(const struct tk_transcript *t, uint32_t message);

/* Returns the last assistant turn, also if it is empty; NULL if there is none. */
const struct tk_turn *tk_newest_turn(const struct tk_transcript *t);

/*
 * Returns true if no edit may drop the message: it has members that may be somebody's words, or
 * it is the last one that has a role. Without any role a list is no history of
 * the dialect, and a second request would be refused (RULES.md 8).
 */
bool tk_is_kept(const struct tk_transcript *t, uint32_t message);

static inline bool tk_is_protected(const struct tk_transcript *t, uint32_t message)
{
    return (t->messages[message].flags & TK_MESSAGE_PROTECTED) != 0;
}

#endif
