/* SPDX-License-Identifier: Apache-2.0 */
/* Between edit.c, change.c and spots.c. */
#ifndef TK_RULES_EDIT_PART_H
#define TK_RULES_EDIT_PART_H

#include "rules/edit.h"

/* The part has these bytes from now on. Returns 0 or -ENOMEM. */
int tk_part_refill(struct tk_edits *e, uint32_t part, struct tk_str encoded);

/* The message has these bytes from now on: the same without its provider options. */
int tk_message_without(struct tk_edits *e, uint32_t message, struct tk_str encoded);

/* What the patch has to say of a change: the place from the part on, its new bytes (p NULL: gone).
 */
int tk_change_note(struct tk_edits *e, uint32_t part, struct tk_str path, struct tk_str value);

#endif
