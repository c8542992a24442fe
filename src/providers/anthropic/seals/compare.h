/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a sealed turn with its seals: the step after match.c; see seals.h. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_COMPARE_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_COMPARE_H

#include "providers/anthropic/seals/seals.h"

/* Compares the messages of a group with its seals, and fills its verdict. latest: the group is of
 * the newest assistant turn. Returns 0 or -ENOMEM. */
int tk_sealed_turn_compare(struct tk_seals *s, const struct tk_transcript *t,
                           struct tk_sealed_turn *g, bool latest);

#endif
