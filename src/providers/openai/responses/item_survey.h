/* SPDX-License-Identifier: Apache-2.0 */
/* One look at a list of items, before its checks: what it contains, so that rules about other items
 * cost nothing. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_ITEM_SURVEY_H
#define TK_PROVIDERS_OPENAI_RESPONSES_ITEM_SURVEY_H

#include "providers/openai/responses/state.h"
#include "shapes/openai_items.h"

/* The hook `survey` of struct tk_ruleset. */
int tk_responses_survey(struct tk_judge *j);

/* Returns true if the list may have an item of the row. */
static inline bool tk_list_has(const struct tk_judge *j, enum tk_item_row row)
{
    return tk_responses(j)->rows >> row & 1;
}

#endif
