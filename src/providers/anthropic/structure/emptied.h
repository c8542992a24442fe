/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles messages without content. A message that an edit emptied is dropped, unless that would do
 * harm: then the text "(empty)" keeps its place.
 *
 * A user turn is never dropped, since the assistant turns around it would merge. The exception is a
 * turn that a call in flight crosses: any text in it would end the turn that the call belongs to. A
 * message that lost all its thinking also stays if the policy says so (OPERATIONS.md C.7 O3).
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_EMPTIED_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_EMPTIED_H

#include "engine/plan.h"

/* Marks the messages that were emptied before this round: its settling sees to them. */
void tk_mark_to_settle(struct tk_transcript *t);

/* Drops or fills messages that an edit emptied before this round and those found empty. Like the
 * next two, returns 0, -ENOMEM or -ECANCELED. */
int tk_settle_all(struct tk_plan *p);
/* Drops or fills one message that a rule found empty. */
int tk_settle(struct tk_plan *p, uint32_t message, uint16_t code);
/* Puts the text "(empty)" into a message that must stay. */
int tk_hold_place(struct tk_plan *p, uint32_t message, uint16_t code);

#endif
