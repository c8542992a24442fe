/* SPDX-License-Identifier: Apache-2.0 */
/* New ids for calls and outputs (PROVIDERS.md 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_NEW_ID_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_NEW_ID_H

#include "providers/openai/responses/item.h"

/* Returns an id that follows from the item's place in the input: `call_` and 24 hex digits; `.p ==
 * NULL` without memory. An item that an edit added has its place in the transcript's array. */
struct tk_str tk_id_of_place(const struct tk_transcript *t, uint32_t item);

/* Returns an id for a call that has none: its own `id`, if an output has that as its `call_id`, else
 * one of its place. `.p == NULL` without memory. The first call of a repair is linear. */
struct tk_str tk_new_call_id(struct tk_judge *j, uint32_t item);

#endif
