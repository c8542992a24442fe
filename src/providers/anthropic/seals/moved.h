/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for sealed blocks that moved to another message: a part of the comparison; see seals.h. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_MOVED_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_MOVED_H

#include "providers/anthropic/seals/seals.h"

/*
 * Marks the groups of one message whose absent blocks are in another message: a sealed call, by its
 * id, in any message; any other sealed block in a message of the same turn that has no seal.
 * Linear. Returns 0 or -ENOMEM.
 */
int tk_seals_look_elsewhere(struct tk_seals *s, const struct tk_transcript *t);

#endif
