/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/ids/unit.h"

#include <errno.h>

int tk_item_lose_id(struct tk_plan *p, uint32_t item, uint16_t code)
{
    int r;

    if (!tk_exists(tk_item_get(p->j->t, item, TK_STR("id"))))
        return 0;
    r = tk_item_line(p, item, code, TK_ACTION_REWRITE);
    return r < 0 ? r : tk_item_remove(p, item, "id");
}

void tk_units_begin(struct tk_judge *j)
{
    tk_responses(j)->unit_check++;
}

static int make_room(struct tk_judge *j)
{
    struct tk_responses *own = tk_responses(j);
    uint32_t n = j->t->message_count;

    if (own->unit_capacity >= n)
        return 0;
    own->unit_done = tk_arena_zalloc(j->t->arena, n, sizeof(*own->unit_done));
    own->unit_capacity = own->unit_done ? n : 0;
    return own->unit_done ? 0 : -ENOMEM;
}

/* Notes that the units of a reasoning item and of those directly after it are done. Returns the item
 * after them; TK_NONE: there is none. */
static uint32_t pass_reasoning(struct tk_responses *own, const struct tk_transcript *t,
                               uint32_t reasoning)
{
    uint32_t item = reasoning;

    for (; item != TK_NONE && tk_item_is(t, item, TK_ITEM_REASONING); item = t->messages[item].next)
        own->unit_done[item] = own->unit_check;
    return item;
}

int tk_unit_lose_ids(struct tk_plan *p, uint32_t reasoning, uint16_t code)
{
    struct tk_responses *own = tk_responses(p->j);
    const struct tk_transcript *t = p->j->t;
    int r = make_room(p->j);
    uint32_t item;

    if (r < 0 || own->unit_done[reasoning] == own->unit_check)
        return r;
    item = pass_reasoning(own, t, reasoning);
    for (; item != TK_NONE && r == 0; item = t->messages[item].next) {
        if (tk_item_is(t, item, TK_ITEM_REASONING) || !tk_item_is_models(t, item))
            break;
        if ((tk_item_at(t, item)->flags & TK_ITEM_FREE) && tk_exists(tk_item_id(t, item)))
            r = tk_item_lose_id(p, item, code);
    }
    return r;
}
