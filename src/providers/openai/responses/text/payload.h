/* SPDX-License-Identifier: Apache-2.0 */
/* Says in words what an item holds, for the text that takes its place (PROVIDERS.md 1.5, 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_TEXT_PAYLOAD_H
#define TK_PROVIDERS_OPENAI_RESPONSES_TEXT_PAYLOAD_H

#include "providers/openai/responses/item.h"

/* Returns the text of an output, or of an item that the server executed; empty if it has none, `.p ==
 * NULL` without memory. */
struct tk_str tk_item_payload(const struct tk_transcript *t, uint32_t item);

/* Returns the texts of a list of content parts and strings, joined by LF. others: what isn't text, and
 * no image or file either, is in it as compact JSON; else it is left out. `.p == NULL` without
 * memory. */
struct tk_str tk_texts_of(struct tk_val list, bool others, struct tk_arena *arena);

/* Returns true if every element of a list is a text. */
bool tk_has_only_texts(struct tk_val list);

/* Returns true for an image or a file that may be a part of a message as it is. */
bool tk_is_input_media(struct tk_val part);

#endif
