/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that take the place of a part, but go to another message. Its cache marker goes with it. */
#ifndef TK_PROVIDERS_ANTHROPIC_TEXT_MOVE_TEXT_H
#define TK_PROVIDERS_ANTHROPIC_TEXT_MOVE_TEXT_H

#include "engine/edit/edit.h"

/* Removes a part and puts a text after the part `after` of a message (TK_NONE: as the first). Returns 0, -ENOMEM
 * or -ECANCELED. */
int tk_textify_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text,
                    uint32_t message, uint32_t after);

/* Does the same with a string of the part, which is copied byte by byte. The action is rewrite. */
int tk_rewrite_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_val text,
                    uint32_t message, uint32_t after);

/* Removes a part and puts a text into a new user message right after the part's. All texts of a round that go
 * after one message share the new message. Returns 0, -ENOMEM or -ECANCELED. */
int tk_textify_after(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text);

#endif
