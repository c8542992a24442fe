/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the tools that a client's results are of (RULES.md section 4, mark). */
#ifndef TK_RULES_PAIRS_NAMES_H
#define TK_RULES_PAIRS_NAMES_H

#include "history/history.h"

/*
 * Notes for each client result the first call that has its id and is before it, in whatever message
 * and by whatever executor. Called before the first edit, so that a result keeps the name that it
 * was sent with. Linear. Returns 0 or -ENOMEM.
 */
int tk_note_names(struct tk_transcript *t);

#endif
