/* SPDX-License-Identifier: Apache-2.0 */
/* New ids for calls and outputs (PROVIDERS.md 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_NEW_ID_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_NEW_ID_H

#include "providers/openai/responses/item.h"

/* Returns an id that follows from the item's place: `call_` and 24 hex digits; `.p == NULL` without
 * memory. An item of the input has the place in which it was sent; one that an edit added has its place in
 * the list as it is now, which items at the end of the input don't change. Calls in the order of the list
 * cost one walk in all. */
struct tk_str tk_id_of_place(struct tk_judge *j, uint32_t item);

/* Forgets the place of the item that was asked for last. Call it before the fixes of a rule. */
void tk_forget_place(struct tk_judge *j);

/* Returns an id for a call that has none: its own `id`, if an output has that as its `call_id`, else
 * one of its place. `.p == NULL` without memory. The first call of a repair is linear. */
struct tk_str tk_new_call_id(struct tk_judge *j, uint32_t item);

#endif
