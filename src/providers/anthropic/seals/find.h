/* SPDX-License-Identifier: Apache-2.0 */
/* Judges turns by the seals that came with the request: the step before fix.c; see seals.h. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_FIND_H

#include "engine/judge.h"
#include "providers/anthropic/seals/seals.h"

/* Matches the seals to the messages, and finds the turns that differ from what was received.
 * Returns 0 or -ENOMEM. */
int tk_judge_seals(struct tk_judge *j);

/* Returns the code of the finding for a verdict other than intact and unknown. */
uint16_t tk_sealed_code(enum tk_verdict verdict);

#endif
