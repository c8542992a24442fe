/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives back what a repair removed or replaced (doc/FIT.md, "What was removed"), for the caller to store next to the history: together
 * with the repaired history it has every text that was sent.
 */
#ifndef TK_ENGINE_REMOVED_H
#define TK_ENGINE_REMOVED_H

#include "engine/edit/edit.h"
#include "value/writer.h"

/* Writes a value as it was sent, with its place and the code of the edit that took it away, as an element of the open list.
 * stage: a member; NULL: none. */
void tk_write_removed_value(struct tk_writer *w, struct tk_str pointer, const char *code,
                            struct tk_val value, const char *stage);

/* Writes such an element for each place of which an edit removed or replaced something, in the order of the edits. A place
 * inside of another one has no element. Returns 0 or -ENOMEM. */
int tk_report_removed(struct tk_writer *w, const struct tk_edits *edits, const char *stage);

#endif
