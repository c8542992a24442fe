/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_NEIGHBOURS_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_NEIGHBOURS_H

#include "engine/judge.h"

/* Returns true if the message may be merged with its neighbours: no seal is of it, as the seal would remove what was
 * joined to it, and nothing is lost. */
bool tk_may_join(const struct tk_judge *j, uint32_t message);

/* Returns true if a rule blames the message for having the role of the one before it. */
bool tk_must_join(const struct tk_judge *j, uint32_t message);

/* Moves a message's provider options to its last part, unless that has its own: the adapters of fantasy and ai-sdk
 * apply them to the last part, which is another part after messages merge. Returns 0 or -ENOMEM. */
int tk_options_to_parts(struct tk_edits *e, uint32_t message);

#endif
