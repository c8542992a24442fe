/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of reasoning (PROVIDERS.md 4.3). The server looks a stored reasoning item up by its id; it
 * refuses reasoning without the item that the model made after it, and that item without its
 * reasoning. An item without an id isn't looked up, so the fix is to delete ids, all of one unit
 * together:
 *
 *     reasoning rs_1       a unit: a reasoning item,
 *     reasoning rs_2       the reasoning directly after it,
 *     message msg_1        and the run of the model's items after that,
 *     function_call fc_1
 *     reasoning rs_3       up to the next reasoning
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_IDS_UNIT_H
#define TK_PROVIDERS_OPENAI_RESPONSES_IDS_UNIT_H

#include "providers/openai/responses/item.h"

/* Deletes the item's `id` and writes a line, if it has one. Returns 0, -ENOMEM or -ECANCELED. */
int tk_item_lose_id(struct tk_plan *p, uint32_t item, uint16_t code);

/* Call it when a check begins whose fixes use the next one: units may have changed since. */
void tk_units_begin(struct tk_judge *j);

/* Deletes the ids of the items of a reasoning item's unit that may lose theirs, but not its own. All
 * units of one check together cost linear time. Returns 0, -ENOMEM or -ECANCELED. */
int tk_unit_lose_ids(struct tk_plan *p, uint32_t reasoning, uint16_t code);

#endif
