/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out in one pass what a list contains, so that rules about other items cost nothing. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_LOOK_H
#define TK_PROVIDERS_OPENAI_RESPONSES_LOOK_H

#include "providers/openai/responses/state.h"

/* A check that finds nothing: it must run before the others. Returns 0. */
int tk_look_at_items(struct tk_judge *j);

/* Returns true if the list may have an item of the row. */
static inline bool tk_list_has(const struct tk_judge *j, enum tk_item_row row)
{
    return tk_responses(j)->rows >> row & 1;
}

#endif
