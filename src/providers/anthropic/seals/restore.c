/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/seals/restore.h"

#include <errno.h>

#include "engine/edit/edit_part.h"
#include "providers/anthropic/cache/markers.h"

/* ---- the message before ---- */

static struct tk_restored *remember(struct tk_edits *e, struct tk_seals *s, uint32_t message)
{
    const struct tk_transcript *t = e->t;
    struct tk_restored *was;
    uint32_t n = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        n++;
    was = tk_arena_alloc(t->arena, sizeof(*was) + n * sizeof(was->parts[0]));
    if (!was)
        return NULL;
    *was = (struct tk_restored){.message = message,
                                .count = n,
                                .first_edit = e->count,
                                .flags = t->messages[message].flags};
    n = 0;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_sealed_block *b = tk_seals_block(s, t, i);

        if (!b)
            return NULL;
        was->parts[n++] = (struct tk_before){.part = i,
                                             .flags = t->parts[i].flags,
                                             .val = tk_part_val(&t->parts[i], t->parts[i].node),
                                             .digest = b->block};
    }
    return was;
}

/* ---- the message restored ---- */

static int take_rest_out(struct tk_edits *e, uint32_t message, bool newest, struct tk_restored *was)
{
    struct tk_transcript *t = e->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first, next; i != TK_NONE && r == 0; i = next) {
        next = t->parts[i].next;
        if (t->parts[i].flags & TK_PART_WANTED)
            continue;
        if (!newest && tk_marker_of(t, i).p) {
            was->settled = true;
            r = tk_marker_hand_on(e, i);
        }
        tk_take_out(e, i);
        t->parts[i].flags |= TK_PART_REMOVED;
    }
    return r;
}

/* Links a block of the seal as a new part. A cache marker on thinking stays out: no provider takes
 * it (OPERATIONS.md C.5 B5). */
static int link_from_seal(struct tk_edits *e, uint32_t message, struct tk_val block)
{
    struct tk_transcript *t = e->t;
    uint32_t part = tk_new_part(t);
    struct tk_part *p;

    if (part == TK_NONE)
        return -ENOMEM;
    p = &t->parts[part];
    p->doc = block.doc;
    p->node = block.node;
    p->flags = TK_PART_MADE | TK_PART_CHANGED;
    p->from_message = TK_NONE;
    tk_link_part(t, message, t->messages[message].last, part);
    t->shape->read_part(p, &t->messages[message], t->arena);
    return tk_is_thinking(p) && tk_marker_of(t, part).p
               ? tk_change_remove(e, part, &t->shape->cache_marker)
               : 0;
}

/*
 * Links a part again. Parts already in the right order keep their place; the others count as moved.
 */
static void link_again(struct tk_transcript *t, uint32_t message, uint32_t part,
                       uint32_t *last_in_place)
{
    struct tk_part *p = &t->parts[part];
    bool in_place = p->from_message == message && !(p->flags & TK_PART_MOVED) &&
                    (*last_in_place == TK_NONE || part > *last_in_place);

    tk_link_part(t, message, t->messages[message].last, part);
    p->flags &= ~(uint32_t)TK_PART_WANTED;
    if (in_place)
        *last_in_place = part;
    else if (part < t->input_parts)
        p->flags |= TK_PART_MOVED;
}

int tk_edit_restore(struct tk_edits *e, struct tk_seals *s, uint32_t message, uint16_t code,
                    const struct tk_wanted *wanted, uint32_t count, bool newest,
                    struct tk_restored **list)
{
    struct tk_transcript *t = e->t;
    struct tk_restored *was = remember(e, s, message);
    uint32_t last = TK_NONE;
    int r = was ? tk_edit_note(e, message, TK_NONE, code, TK_ACTION_RESTORE) : -ENOMEM;

    for (uint32_t i = 0; i < count && r == 0; i++)
        if (wanted[i].part != TK_NONE)
            t->parts[wanted[i].part].flags |= TK_PART_WANTED;
    if (r == 0)
        r = take_rest_out(e, message, newest, was);
    if (r == 0)
        r = tk_open_content(e, message);
    if (r < 0)
        return r;
    while (t->messages[message].first != TK_NONE)
        tk_unlink_part(t, t->messages[message].first);
    for (uint32_t i = 0; i < count && r == 0; i++) {
        if (wanted[i].part == TK_NONE)
            r = link_from_seal(e, message, wanted[i].block);
        else
            link_again(t, message, wanted[i].part, &last);
    }
    if (count > 0)
        t->messages[message].flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    was->next = *list;
    *list = was;
    return r;
}

/* ---- taking back ---- */

static bool is_as_it_was(struct tk_edits *e, struct tk_seals *s, const struct tk_restored *was)
{
    const struct tk_transcript *t = e->t;
    uint32_t n = 0;

    if (was->settled || (t->messages[was->message].flags & TK_MESSAGE_DROPPED))
        return false;
    for (uint32_t i = 0; i < was->count; i++) {
        const struct tk_part *p = &t->parts[was->parts[i].part];

        if (p->doc != was->parts[i].val.doc || p->node != was->parts[i].val.node ||
            (p->message != was->message && !(p->flags & TK_PART_REMOVED)))
            return false;
    }
    for (uint32_t i = t->messages[was->message].first; i != TK_NONE; i = t->parts[i].next, n++) {
        const struct tk_sealed_block *b = tk_seals_block(s, t, i);

        if (!b || n == was->count || !tk_digest_eq(&b->block, &was->parts[n].digest))
            return false;
    }
    return n == was->count;
}

static void take_back(struct tk_edits *e, const struct tk_restored *was)
{
    struct tk_transcript *t = e->t;
    struct tk_message *m = &t->messages[was->message];

    while (m->first != TK_NONE) {
        uint32_t part = m->first;

        tk_unlink_part(t, part);
        t->parts[part].flags |= TK_PART_REMOVED;
    }
    for (uint32_t i = 0; i < was->count; i++) {
        tk_link_part(t, was->message, m->last, was->parts[i].part);
        t->parts[was->parts[i].part].flags = was->parts[i].flags;
    }
    m->flags = was->flags;
    tk_edit_take_back(e, was->message, was->first_edit);
}

int tk_restores_settle(struct tk_edits *e, struct tk_seals *s, struct tk_restored *list,
                       bool *ret_any)
{
    *ret_any = false;
    for (; list; list = list->next)
        if (is_as_it_was(e, s, list)) {
            take_back(e, list);
            list->settled = true;
            *ret_any = true;
        }
    return tk_arena_failed(e->t->arena) ? -ENOMEM : 0;
}
