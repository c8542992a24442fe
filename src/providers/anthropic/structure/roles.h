/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Roles and order of messages (CATALOGUE 3.3). The provider knows three roles, and accepts a system
 * message only after a message of the user or a result of a server tool.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_ROLES_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_ROLES_H

#include "engine/judge.h"

/* Finds an empty list of messages, unknown roles, members that the provider doesn't know, and
 * system messages in a wrong place or with wrong content. Returns 0 or -ENOMEM. */
int tk_judge_structure(struct tk_judge *j);

/* Returns true if a message sets options (`content: []` with `output_config`) and says nothing.
 * Such a message may be anywhere. */
bool tk_is_directive(const struct tk_transcript *t, uint32_t message);

#endif
