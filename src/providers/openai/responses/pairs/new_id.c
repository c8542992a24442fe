/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/pairs/new_id.h"

#include "providers/openai/characters.h"

struct tk_str tk_id_of_place(const struct tk_transcript *t, uint32_t item)
{
    struct tk_str place = tk_arena_printf(t->arena, "%u", item);

    return place.p ? tk_hashed("call_", place, 24, t->arena) : place;
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
    return tk_id_of_place(j->t, item);
}
