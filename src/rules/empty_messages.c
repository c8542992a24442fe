/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages without content. One that an edit emptied is dropped, but for the places where its
 * going would do harm: there the text "(empty)" holds its place.
 *
 * A user turn never goes (two assistant turns would join), unless a call in flight crosses it: any
 * text there would end the turn that the call is part of. A message that lost all its thinking
 * stays, too, where the policy says so (OPERATIONS.md C.7 O3).
 */
#include "rules/plan.h"
#include "rules/protect.h"
#include "rules/provider.h"

#include "shapes/shape.h"

static const struct tk_str placeholder = TK_STR_INIT("(empty)");

static bool is_behind_system(const struct tk_transcript *t, uint32_t message)
{
    uint32_t prev = t->messages[message].prev;

    return t->dialect->wire && prev != TK_NONE && t->messages[prev].role == TK_ROLE_SYSTEM;
}

/* Without the turn, the assistant message in front of it would become part of the protected one. */
static bool would_join_protected(const struct tk_transcript *t, uint32_t turn)
{
    return turn > 0 && turn + 1 < t->turn_count && t->turns[turn - 1].role == TK_ROLE_ASSISTANT &&
           (tk_is_protected(t, t->turns[turn + 1].first) ||
            tk_is_protected(t, t->turns[turn - 1].first)) &&
           t->turns[turn + 1].role == TK_ROLE_ASSISTANT;
}

static bool must_stay(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    const struct tk_turn *turn = &t->turns[m->turn];

    if (m->flags & TK_MESSAGE_PROTECTED || turn->flags & TK_TURN_HAS_PARTS)
        return false;
    if (turn->first == message && (would_join_protected(t, m->turn) ||
                                   (m->role == TK_ROLE_USER && !(turn->flags & TK_TURN_CROSSED))))
        return true;
    return is_behind_system(t, message);
}

int tk_hold_place(struct tk_plan *p, uint32_t message, uint16_t code)
{
    return tk_edit_append(p->e, message, code, TK_ACTION_REWRITE, placeholder);
}

int tk_settle(struct tk_plan *p, uint32_t message, uint16_t code)
{
    struct tk_transcript *t = p->j->t;
    const struct tk_message *m = &t->messages[message];

    if (m->turn == TK_NONE || !(p->j->provider->keeps_place(p) || must_stay(t, message)))
        return tk_edit_drop_message(p->e, message, code);
    if ((m->flags & TK_MESSAGE_TOOL) && t->dialect->bare_tool_messages)
        return tk_edit_stand_in(p->e, message, code, placeholder);
    return tk_hold_place(p, message, code);
}

static bool is_blamed(const struct tk_plan *p, const struct tk_message *m)
{
    if (p->stage != TK_STAGE_RULES)
        return false;
    for (uint32_t i = m->finding; i != TK_NONE; i = p->j->findings.list[i].next)
        if (p->j->findings.list[i].code == p->j->provider->emptied_user ||
            p->j->findings.list[i].code == p->j->provider->emptied_other)
            return true;
    return false;
}

int tk_plan_settle(struct tk_plan *p)
{
    struct tk_transcript *t = p->j->t;
    int r = 0;

    if (t->lone_turn)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0;) {
        struct tk_message *message = &t->messages[m];
        uint32_t next = message->next;
        bool due = (message->flags & TK_MESSAGE_SETTLE) || is_blamed(p, message);

        message->flags &= ~(uint32_t)TK_MESSAGE_SETTLE;
        if (due && message->first == TK_NONE)
            r = tk_settle(p, m,
                          (message->role == TK_ROLE_USER ? p->j->provider->emptied_user
                                                         : p->j->provider->emptied_other));
        m = next;
    }
    return r;
}
