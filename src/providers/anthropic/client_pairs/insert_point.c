/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/client_pairs/insert_point.h"

#include "engine/fix.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

void tk_insert_points_reset(struct tk_judge *j)
{
    struct tk_anthropic *own = tk_anthropic(j);

    for (uint32_t i = 0; i < own->leading_count; i++)
        own->leading[i].known = false;
}

static bool is_leaving(uint16_t code)
{
    return code == TK_CODE_TOOL_RESULT_WITHOUT_USE || code == TK_CODE_TOOL_RESULT_DUPLICATE ||
           code == TK_CODE_TOOL_RESULT_FOR_SERVER_TOOL || code == TK_CODE_TOOL_RESULT_NOT_ADJACENT;
}

bool tk_insert_point_leaves(struct tk_plan *p, uint32_t part)
{
    const struct tk_findings *f = &p->j->findings;

    for (uint32_t i = p->j->t->parts[part].finding; i != TK_NONE; i = f->list[i].next)
        if (is_leaving(f->list[i].code) && tk_fix_wanted(p, &f->list[i]).action != TK_ACTION_NONE)
            return true;
    return false;
}

static void look_at(struct tk_plan *p, uint32_t message, struct tk_leading_results *leading)
{
    const struct tk_transcript *t = p->j->t;

    *leading = (struct tk_leading_results){TK_NONE, TK_NONE, 0, true};
    for (uint32_t i = t->messages[message].first; i != TK_NONE && tk_is_result(&t->parts[i], false);
         i = t->parts[i].next) {
        if (tk_insert_point_leaves(p, i))
            continue;
        leading->last_result = i;
        if (i < t->input_parts && !(t->parts[i].flags & TK_PART_MOVED))
            leading->boundary = i + 1;
    }
}

/* Returns the leading results of a message; NULL when out of memory. */
static struct tk_leading_results *leading_of(struct tk_plan *p, uint32_t message)
{
    struct tk_anthropic *own = tk_anthropic(p->j);

    if (message >= own->leading_count) {
        uint32_t count = p->j->t->message_count + p->j->t->message_count / 2 + 8;
        struct tk_leading_results *leading =
            tk_arena_grow(p->j->t->arena, own->leading, own->leading_count * sizeof(*leading),
                          count * sizeof(*leading));

        if (!leading)
            return NULL;
        for (uint32_t i = own->leading_count; i < count; i++)
            leading[i].known = false;
        own->leading = leading;
        own->leading_count = count;
    }
    if (!own->leading[message].known)
        look_at(p, message, &own->leading[message]);
    return &own->leading[message];
}

uint32_t *tk_insert_point_last(struct tk_plan *p, uint32_t message)
{
    struct tk_leading_results *leading = leading_of(p, message);

    return leading ? &leading->last_result : NULL;
}

/* Returns true if the message can hold client results: its content is a list and its role fits. */
static bool takes_results(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    bool list = (m->flags & (TK_MESSAGE_MADE | TK_MESSAGE_RELISTED)) ||
                tk_is((struct tk_val){m->doc, m->content}, TK_ARRAY);

    return list && m->role == TK_ROLE_USER &&
           !(m->flags & TK_MESSAGE_TOOL) == !tk_adapter_of(t->shape)->tool_messages;
}

struct tk_insert_point tk_insert_point_after_turn(struct tk_plan *p, uint32_t turn)
{
    struct tk_transcript *t = p->j->t;
    uint32_t last = t->turns[turn].last, message = t->messages[last].next;
    struct tk_leading_results *leading;

    while (message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_TRANSPARENT))
        message = t->messages[message].next;
    if (message == TK_NONE || !takes_results(t, message))
        message = tk_edit_add_message(p->e, last, TK_ROLE_USER,
                                      tk_adapter_of(t->shape)->tool_messages ? TK_MESSAGE_TOOL : 0);
    leading = message == TK_NONE ? NULL : leading_of(p, message);
    if (!leading)
        return (struct tk_insert_point){TK_NONE, TK_NONE};
    return (struct tk_insert_point){message, leading->last_result};
}

struct tk_insert_point tk_insert_point_after_call(struct tk_plan *p, uint32_t call)
{
    return tk_insert_point_after_turn(p, p->j->t->messages[p->j->t->parts[call].message].turn);
}

bool tk_insert_point_has(struct tk_plan *p, struct tk_insert_point point, uint32_t result)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[result].message, before = t->parts[result].prev;

    /* The results that stay are the first of the message up to `after`, so only it can precede the
     * next one. */
    return point.message == message && before == point.after;
}

bool tk_insert_point_is_leading(struct tk_plan *p, uint32_t result)
{
    const struct tk_part *r = &p->j->t->parts[result];
    const struct tk_leading_results *leading = leading_of(p, r->message);

    return leading && !(r->flags & TK_PART_MOVED) && result < leading->boundary;
}

void tk_insert_point_used(struct tk_plan *p, struct tk_insert_point point, uint32_t result)
{
    tk_anthropic(p->j)->leading[point.message].last_result = result;
}

struct tk_insert_point tk_insert_point_for_text(struct tk_plan *p, uint32_t result,
                                                bool *ret_in_place)
{
    uint32_t message = p->j->t->parts[result].message;
    struct tk_leading_results *leading = leading_of(p, message);

    if (!leading)
        return (struct tk_insert_point){TK_NONE, TK_NONE};
    *ret_in_place = result >= leading->boundary;
    return (struct tk_insert_point){message, leading->last_text != TK_NONE ? leading->last_text
                                                                           : leading->last_result};
}

void tk_insert_point_text_put(struct tk_plan *p, uint32_t message, uint32_t text)
{
    tk_anthropic(p->j)->leading[message].last_text = text;
}
