/* SPDX-License-Identifier: Apache-2.0 */
/* Messages in the place of items that can't stay (PROVIDERS.md 1.5, 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_TEXT_TEXTIFY_H
#define TK_PROVIDERS_OPENAI_RESPONSES_TEXT_TEXTIFY_H

#include "providers/openai/responses/item.h"

/* Returns textify if the item says something; drop if it says nothing; no edit if an item that says
 * nothing may not be dropped. */
struct tk_decision tk_want_text(struct tk_plan *p, uint32_t item);

/* Makes a message of the item, the user's for an output, else the assistant's. Action textify. Returns
 * 0, -ENOMEM or -ECANCELED. */
int tk_item_textify(struct tk_plan *p, uint32_t item, uint16_t code);

/* Begins a message: {"type": "message", "role": ..., "content": [ ... . The writer is in a list. */
void tk_write_message_begin(struct tk_writer *w, enum tk_role role);
/* Writes, into an open item, the members of the old one that are neither in its row, nor among those
 * `taken` (ended by `.p == NULL`; may be NULL), nor empty, nor bookkeeping: nobody's words are lost
 * (RULES.md 8). */
void tk_write_other_members(struct tk_writer *w, const struct tk_transcript *t, uint32_t item,
                            const struct tk_str *taken);

/* Writes an image with a URL as a part of this API. */
void tk_write_input_image(struct tk_writer *w, struct tk_val image);
bool tk_has_image_url(struct tk_val image);

/* Writes a text part of the role. */
void tk_write_role_text(struct tk_writer *w, enum tk_role role, struct tk_str text);

#endif
