/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/protect.h"

#include "shapes/shape.h"

/* A lone block in the place of a list is content, too. */
static bool has_lone_block(const struct tk_transcript *t, const struct tk_turn *turn)
{
    for (uint32_t m = turn->first;; m = t->messages[m].next) {
        if (tk_is((struct tk_val){t->messages[m].doc, t->messages[m].content}, TK_OBJECT))
            return true;
        if (m == turn->last)
            return false;
    }
}

/*
 * An empty assistant message is no turn that the model spoke, and goes; but where it stays because
 * a system message stands in front of it (rules/empty_messages.c), it is the newest turn.
 */
static bool is_spoken(const struct tk_transcript *t, uint32_t turn)
{
    uint32_t prev = t->messages[t->turns[turn].first].prev;

    if (t->turns[turn].role != TK_ROLE_ASSISTANT)
        return false;
    return (t->turns[turn].flags & TK_TURN_HAS_PARTS) || has_lone_block(t, &t->turns[turn]) ||
           (turn + 1 < t->turn_count && t->dialect->wire && prev != TK_NONE &&
            t->messages[prev].role == TK_ROLE_SYSTEM);
}

const struct tk_turn *tk_newest_turn(const struct tk_transcript *t)
{
    for (uint32_t i = t->turn_count; i > 0; i--)
        if (is_spoken(t, i - 1))
            return &t->turns[i - 1];
    return NULL;
}

static bool is_signed(const struct tk_transcript *t, uint32_t message)
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
            if (is_signed(t, m))
                t->protected_message = m;
        }
        if (m == turn->last)
            return;
    }
}
