/* SPDX-License-Identifier: Apache-2.0 */
/* Between the files that edit. */
#ifndef TK_RULES_EDIT_EDIT_PART_H
#define TK_RULES_EDIT_EDIT_PART_H

#include "rules/edit/edit.h"

/* The part has these bytes from now on. Returns 0 or -ENOMEM. */
int tk_part_refill(struct tk_edits *e, uint32_t part, struct tk_str encoded);

/* The message has these bytes from now on: the same without its provider options. */
int tk_message_without(struct tk_edits *e, uint32_t message, struct tk_str encoded);

/* What the patch has to say of a change: the place from the part on, its new bytes (p NULL: gone).
 */
int tk_change_note(struct tk_edits *e, uint32_t part, struct tk_str path, struct tk_str value);

/* Takes a part out of its message. */
void tk_take_out(struct tk_edits *e, uint32_t part);

/* A list has room for another part, a string has not: it becomes a list of one text.
 * Returns 0 or -ENOMEM. */
int tk_open_content(struct tk_edits *e, uint32_t message);

/* A line of the report; none for what was never sent. Returns 0 or -ENOMEM. */
int tk_edit_note(struct tk_edits *e, uint32_t message, uint32_t part, uint16_t code,
                 enum tk_action action);

/* Takes the lines back that are of a message and its parts, from the first-th on. */
void tk_edit_take_back(struct tk_edits *e, uint32_t message, uint32_t first);

#endif
