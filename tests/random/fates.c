/* SPDX-License-Identifier: Apache-2.0 */
#include "fates.h"

#include "repair_properties.h"

static void note_part(struct trial *t, struct fates *f, struct patched *node, uint32_t place)
{
    if (node->from.doc != &t->doc)
        return;
    for (uint32_t i = 0; i < t->sent.part_count; i++)
        if (t->sent.parts[i].value.node == node->from.node) {
            f->nodes[i] = node;
            f->places[i] = place;
            return;
        }
}

/* A system message of a dialect that has none on the wire: what it parts isn't parted. */
static bool is_transparent(struct trial *t, struct patched *message)
{
    struct patched *role = patched_get(message, "role", &t->arena);
    struct tk_val dialect = in(t->params, "dialect");

    return role && tk_text_is(role->from, TK_STR("system")) && tk_exists(dialect) &&
           !tk_text_is(dialect, TK_STR("anthropic"));
}

static void note_parts(struct trial *t, struct fates *f)
{
    struct patched *messages = patched_open(patched_get(t->root, t->list, &t->arena), &t->arena);
    uint32_t place = 0;

    for (uint32_t i = 0; i < messages->count; i++) {
        struct patched *content = patched_get(messages->items[i], t->parts, &t->arena);

        if (is_transparent(t, messages->items[i]))
            continue;
        if (content && tk_is(content->from, TK_STRING) && tk_raw(content->from).n > 0 &&
            t->whose == ANTHROPIC)
            note_part(t, f, content, place++);
        if (!content || !tk_is(content->from, TK_ARRAY))
            continue;
        patched_open(content, &t->arena);
        for (uint32_t k = 0; k < content->count; k++)
            note_part(t, f, content->items[k], place++);
    }
}

static bool same_id(struct trial *t, struct tk_val edit, const struct view_part *p)
{
    struct tk_str id = tk_text(in(edit, "id"), &t->arena);

    return id.p && p->id.p && tk_str_eq(id, p->id);
}

/*
 * Notes the parts that edits name. Of a pair one half may be named; a message may be removed as a
 * whole; parts after a call move with it out of its message.
 */
static void note_edits(struct trial *t, struct fates *f)
{
    struct tk_val edits = edits_of(t);

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        struct place at = place_of(t, in(e, "pointer"));
        bool appends = tk_text_is(in(e, "action"), TK_STR("append"));
        bool moves_rest = tk_text_is(in(e, "code"), TK_STR("tool_use_in_user")) &&
                          tk_text_is(in(e, "action"), TK_STR("move"));

        for (uint32_t i = 0; i < t->sent.part_count && !appends; i++) {
            const struct view_part *p = &t->sent.parts[i];

            if ((p->message == at.message && (at.part < 0 || p->index == at.part)) ||
                (t->whose == ANTHROPIC && same_id(t, e, p)) ||
                (moves_rest && p->message == at.message && p->index > (uint32_t)at.part))
                f->edited[i] = true;
        }
    }
}

struct fates fates_of(struct trial *t)
{
    struct fates f = {
        .nodes = tk_arena_zalloc(&t->arena, t->sent.part_count, sizeof(*f.nodes)),
        .places = tk_arena_zalloc(&t->arena, t->sent.part_count, sizeof(*f.places)),
        .edited = tk_arena_zalloc(&t->arena, t->sent.part_count, sizeof(*f.edited)),
    };

    MUST(f.nodes && f.places && f.edited);
    note_parts(t, &f);
    note_edits(t, &f);
    return f;
}
