/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces between the files of this folder that edit. */
#ifndef TK_ENGINE_EDIT_EDIT_PART_H
#define TK_ENGINE_EDIT_EDIT_PART_H

#include "engine/edit/edit.h"

/* Replaces the part's bytes. Returns 0 or -ENOMEM. */
int tk_part_refill(struct tk_edits *e, uint32_t part, struct tk_str encoded);

/* Notes an operation for the patch. path: from the part to the place. value: the new bytes; `.p ==
 * NULL`: removed. */
int tk_change_note(struct tk_edits *e, uint32_t part, struct tk_str path, struct tk_str value);

/* Takes a part out of its message. */
void tk_take_out(struct tk_edits *e, uint32_t part);

/* Turns string content into a list of one text, so that another part can be added. Returns 0 or
 * -ENOMEM. */
int tk_open_content(struct tk_edits *e, uint32_t message);

/* Notes what was sent in the place of a part that is about to change, if the shape's report needs it
 * (`names_as_sent`). Returns 0 or -ENOMEM. */
int tk_note_sent(struct tk_edits *e, uint32_t part);

/* Adds a line to the report, unless the part or message was never sent. Returns 0, -ENOMEM or
 * -ECANCELED. */
int tk_edit_note(struct tk_edits *e, uint32_t message, uint32_t part, uint16_t code,
                 enum tk_action action);

/* Removes the lines about a message and its parts, from index `first` of the report on. */
void tk_edit_take_back(struct tk_edits *e, uint32_t message, uint32_t first);

#endif
