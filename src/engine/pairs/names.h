/* SPDX-License-Identifier: Apache-2.0 */
/* Names of the tools of calls and results (RULES.md section 4, mark). */
#ifndef TK_ENGINE_PAIRS_NAMES_H
#define TK_ENGINE_PAIRS_NAMES_H

#include "history/history.h"

/*
 * Notes for each client result the first call of its id that comes before it, in any message, the
 * client's or the provider's. Call it before the first edit, so that a result keeps the name that
 * it was sent with. Linear. Returns 0 or -ENOMEM.
 */
int tk_note_names(struct tk_transcript *t);

/* Returns the name of a call's or result's tool, as it was sent: a call's own; of a result that of `call`, else
 * of the call that tk_note_names() noted, else its own, else the one in its type. call: TK_NONE if unknown.
 * `.p == NULL`: nothing tells it. */
struct tk_str tk_tool_label(const struct tk_transcript *t, const struct tk_part *part,
                            uint32_t call);

#endif
