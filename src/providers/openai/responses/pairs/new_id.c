/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/pairs/new_id.h"

#include "providers/common/legal_names.h"

void tk_forget_place(struct tk_judge *j)
{
    tk_responses(j)->placed = TK_NONE;
}

/* Returns how many items are before the item now, walking on from the one that was asked for last. */
static uint32_t place_now(struct tk_judge *j, uint32_t item)
{
    struct tk_responses *own = tk_responses(j);
    const struct tk_transcript *t = j->t;
    uint32_t m = own->placed;

    if (m == TK_NONE) {
        m = t->first_message;
        own->place = 0;
    }
    for (; m != item && m != TK_NONE; m = t->messages[m].next)
        own->place++;
    own->placed = m;
    return own->place;
}

struct tk_str tk_id_of_place(struct tk_judge *j, uint32_t item)
{
    const struct tk_transcript *t = j->t;
    uint32_t at = item < t->input_messages ? item : place_now(j, item);
    struct tk_str place = tk_arena_printf(t->arena, "%u", at);

    return place.p ? tk_digest_id(t->arena, "call_", place, 24) : place;
}

/* Fills the set of ids that outputs of the input have. */
static bool note_outputs(struct tk_judge *j)
{
    struct tk_map *ids = &tk_responses(j)->output_ids;
    const struct tk_transcript *t = j->t;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        struct tk_val id;
        bool is_new;

        if (!tk_item_is_output(t, m))
            continue;
        id = tk_part_val(&t->parts[t->messages[m].first], t->parts[t->messages[m].first].id);
        if (tk_has_text(id) && !tk_map_put(ids, tk_text(id, t->arena), &is_new))
            return false;
    }
    tk_responses(j)->knows_outputs = true;
    return true;
}

struct tk_str tk_new_call_id(struct tk_judge *j, uint32_t item)
{
    struct tk_str id = tk_text(tk_item_get(j->t, item, TK_STR("id")), j->t->arena);

    if (id.n > 0 && !tk_responses(j)->knows_outputs && !note_outputs(j))
        return (struct tk_str){0};
    if (id.n > 0 && tk_map_get(&tk_responses(j)->output_ids, id))
        return id;
    return tk_id_of_place(j, item);
}
