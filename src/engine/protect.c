/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/protect.h"

#include "shapes/shape.h"

const struct tk_turn *tk_newest_turn(const struct tk_transcript *t)
{
    for (uint32_t i = t->turn_count; i > 0; i--)
        if (t->turns[i - 1].role == TK_ROLE_ASSISTANT)
            return &t->turns[i - 1];
    return NULL;
}

bool tk_message_is_signed(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].flags & TK_PART_SIGNED)
            return true;
    return false;
}

void tk_protect(struct tk_transcript *t)
{
    const struct tk_turn *turn = tk_newest_turn(t);

    if (t->protected_message != TK_NONE)
        for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
            t->messages[m].flags &= ~(uint32_t)TK_MESSAGE_PROTECTED;
    t->protected_message = TK_NONE;
    if (!turn || !(turn->flags & TK_TURN_SIGNED))
        return;
    for (uint32_t m = turn->first;; m = t->messages[m].next) {
        if (!(t->messages[m].flags & TK_MESSAGE_TRANSPARENT)) {
            t->messages[m].flags |= TK_MESSAGE_PROTECTED;
            if (tk_message_is_signed(t, m))
                t->protected_message = m;
        }
        if (m == turn->last)
            return;
    }
}

bool tk_is_kept(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    bool is_last_with_role = t->with_role == 1 && !(m->flags & TK_MESSAGE_NO_ROLE);

    return (m->flags & TK_MESSAGE_KEPT) ||
           (is_last_with_role && t->first_message != t->last_message && t->shape->asked != 0);
}
