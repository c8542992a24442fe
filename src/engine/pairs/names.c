/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pairs/names.h"

#include <errno.h>

static bool has_client_result(const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (tk_is_result(&t->parts[i], false))
            return true;
    return false;
}

/* Notes the call of a client's result. calls: from an id to its first call plus one. */
static int note_part(struct tk_transcript *t, struct tk_map *calls, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];
    uint32_t *call;
    bool is_new;

    if (p->kind == TK_PART_CALL) {
        call = tk_map_put(calls, tk_part_id(t, p), &is_new);
        if (call && is_new)
            *call = part + 1;
        return call ? 0 : -ENOMEM;
    }
    if (!tk_is_result(p, false))
        return 0;
    call = tk_map_get(calls, tk_part_id(t, p));
    t->named_by[part] = call ? *call - 1 : TK_NONE;
    return 0;
}

int tk_note_names(struct tk_transcript *t)
{
    struct tk_map calls;
    int r = 0;

    if (!has_client_result(t))
        return 0;
    t->named_by = tk_arena_alloc(t->arena, t->input_parts * sizeof(*t->named_by));
    if (!t->named_by)
        return -ENOMEM;
    memset(t->named_by, 0xff, t->input_parts * sizeof(*t->named_by));
    tk_map_init(&calls, t->arena, t->hash_key);
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = note_part(t, &calls, i);
    return r;
}
