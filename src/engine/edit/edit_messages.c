/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of whole messages: adds, moves, merges and removes them, and changes their members. */
#include "engine/edit/edit_part.h"

#include <errno.h>

#include "shapes/shape.h"
#include "value/splice.h"

/* ---- bytes and content ---- */

static int add_content(struct tk_edits *e, uint32_t message)
{
    struct tk_message *m = &e->t->messages[message];
    struct tk_val whole = {m->doc, m->node};
    struct tk_str nothing = e->t->doc->codec == TK_JSON ? TK_STR("[]") : TK_STR("\x90");

    m->flags |= TK_MESSAGE_FILLED;
    return tk_change_message(
        e, message,
        tk_splice_add(e->t->arena, whole, whole, tk_parts_name(e->t->shape).p, nothing));
}

int tk_open_content(struct tk_edits *e, uint32_t message)
{
    struct tk_message *m = &e->t->messages[message];

    m->flags |= TK_MESSAGE_TOUCHED;
    if ((m->flags & TK_MESSAGE_MADE) || tk_is((struct tk_val){m->doc, m->content}, TK_ARRAY))
        return 0;
    m->flags |= TK_MESSAGE_RELISTED;
    return m->content == TK_NO_NODE ? add_content(e, message) : 0;
}

/* ---- adding and removing ---- */

/* The message's bytes are written later, when its parts are known. */
uint32_t tk_edit_add_message(struct tk_edits *e, uint32_t after, enum tk_role role, uint32_t flags)
{
    uint32_t message = tk_new_message(e->t);

    if (message == TK_NONE)
        return TK_NONE;
    e->t->messages[message].role = (uint8_t)role;
    e->t->messages[message].flags =
        TK_MESSAGE_MADE | flags | (e->t->shape->is_whole ? TK_MESSAGE_WHOLE : 0);
    tk_link_message(e->t, after, message);
    return message;
}

void tk_remove_message(struct tk_edits *e, uint32_t message)
{
    struct tk_message *m = &e->t->messages[message];

    for (uint32_t i = m->first; i != TK_NONE; i = e->t->parts[i].next)
        e->t->parts[i].flags |= TK_PART_REMOVED;
    m->flags |= TK_MESSAGE_DROPPED;
    m->flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    if (m->prev != TK_NONE)
        e->t->messages[m->prev].flags |= TK_MESSAGE_GAP;
    tk_unlink_message(e->t, message);
}

/* ---- edits ---- */

int tk_edit_wrap(struct tk_edits *e, uint32_t message, uint16_t code)
{
    uint32_t part = tk_new_part(e->t);
    struct tk_message *m = &e->t->messages[message];
    struct tk_part *p;

    if (part == TK_NONE)
        return -ENOMEM;
    p = &e->t->parts[part];
    p->doc = m->doc;
    p->node = m->content;
    p->flags = TK_PART_MADE | TK_PART_CHANGED;
    m->flags |= TK_MESSAGE_TOUCHED | TK_MESSAGE_RELISTED;
    tk_link_part(e->t, message, TK_NONE, part);
    e->t->shape->read_part(p, m, e->t->arena);
    return tk_edit_message(e, message, code, TK_ACTION_REWRITE);
}

int tk_edit_append(struct tk_edits *e, uint32_t message, uint16_t code, enum tk_action action,
                   struct tk_str text)
{
    int r = tk_edit_message(e, message, code, action);

    return r < 0 ? r
                 : tk_edit_insert(e, message, e->t->messages[message].last,
                                  tk_encode_text_part(e, text, (struct tk_str){0}));
}

int tk_edit_add_user(struct tk_edits *e, uint32_t message, uint16_t code, uint32_t after,
                     struct tk_str text)
{
    uint32_t made = tk_edit_add_message(e, after, TK_ROLE_USER, 0);
    int r = made == TK_NONE ? -ENOMEM : tk_edit_message(e, message, code, TK_ACTION_REWRITE);

    return r < 0
               ? r
               : tk_edit_insert(e, made, TK_NONE, tk_encode_text_part(e, text, (struct tk_str){0}));
}

int tk_edit_drop_message(struct tk_edits *e, uint32_t message, uint16_t code)
{
    int r = tk_edit_message(e, message, code, TK_ACTION_DROP_MESSAGE);

    if (r == 0)
        tk_remove_message(e, message);
    return r;
}

int tk_edit_merge(struct tk_edits *e, uint32_t message, uint16_t code, uint32_t *last_result)
{
    struct tk_transcript *t = e->t;
    uint32_t into = t->messages[message].prev;
    bool gap = t->messages[message].flags & TK_MESSAGE_GAP;
    int r = tk_edit_message(e, message, code, TK_ACTION_MERGE);

    if (r == 0)
        r = tk_open_content(e, message);
    if (r == 0)
        r = tk_open_content(e, into);
    if (r < 0)
        return r;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->messages[message].first) {
        bool first = last_result && tk_is_result(&t->parts[i], false);

        tk_unlink_part(t, i);
        tk_link_part(t, into, first ? *last_result : t->messages[into].last, i);
        t->parts[i].flags |= TK_PART_MOVED;
        if (first)
            *last_result = i;
    }
    tk_remove_message(e, message);
    t->messages[message].flags |= TK_MESSAGE_MERGED;
    t->messages[into].flags &= ~(uint32_t)TK_MESSAGE_GAP;
    t->messages[into].flags |= gap ? TK_MESSAGE_GAP : 0;
    return 0;
}
