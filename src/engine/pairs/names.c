/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pairs/names.h"

#include <errno.h>

#include "shapes/shape.h"

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

/* Returns the call that tk_note_names() noted for a client's result. */
static uint32_t namer_of(const struct tk_transcript *t, const struct tk_part *part)
{
    size_t index = (size_t)(part - t->parts);

    return t->named_by && index < t->input_parts ? t->named_by[index] : TK_NONE;
}

/* Returns the tool's name in a result's type; `.p == NULL`: it has none. */
static struct tk_str name_in_type(const struct tk_transcript *t, const struct tk_part *part)
{
    struct tk_str name = tk_tool_in_type(tk_result_type(t->shape, part, t->arena));

    return name.n > 0 ? name : (struct tk_str){0};
}

struct tk_str tk_tool_label(const struct tk_transcript *t, const struct tk_part *part,
                            uint32_t call)
{
    struct tk_str name = {0};

    if (part->kind == TK_PART_CALL)
        return tk_part_name(t, part);
    if (call == TK_NONE)
        call = namer_of(t, part);
    if (call != TK_NONE)
        name = tk_part_name(t, &t->parts[call]);
    if (name.n == 0)
        name = tk_part_name(t, part);
    return name.n > 0 ? name : name_in_type(t, part);
}
