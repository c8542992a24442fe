/* SPDX-License-Identifier: Apache-2.0 */
/* Tool names of the client's results (RULES.md section 4, mark). */
#ifndef TK_ENGINE_PAIRS_NAMES_H
#define TK_ENGINE_PAIRS_NAMES_H

#include "history/history.h"

/*
 * Notes for each client result the first call of its id that comes before it, in any message, the
 * client's or the provider's. Call it before the first edit, so that a result keeps the name that
 * it was sent with. Linear. Returns 0 or -ENOMEM.
 */
int tk_note_names(struct tk_transcript *t);

#endif
