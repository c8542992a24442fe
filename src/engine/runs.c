/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/runs.h"

#include "engine/protect.h"
#include "engine/ruleset.h"

bool tk_is_broken(const struct tk_message *m)
{
    struct tk_val content = {m->doc, m->content};

    return !(m->flags & (TK_MESSAGE_MADE | TK_MESSAGE_RELISTED)) && tk_exists(content) &&
           !tk_is(content, TK_NULL) && !tk_is(content, TK_ARRAY);
}

/* Returns true if the message is one of the run that `of` is in, and has content. The turns are those
 * of the start of the round. */
static bool is_company(const struct tk_transcript *t, uint32_t message, uint32_t of)
{
    const struct tk_message *m = &t->messages[message];

    return message != of && m->turn != TK_NONE && m->turn == t->messages[of].turn &&
           !(m->flags & TK_MESSAGE_DROPPED) && !tk_is_partless(m);
}

/* Returns true if another message of the run has content. Notes which one: it is the answer for the next
 * messages, too, so that a run is searched once. */
static bool has_company(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    uint8_t role = t->messages[message].role;
    uint32_t m;

    if (p->company < t->message_count && is_company(t, p->company, message))
        return true;
    if (t->messages[message].turn != TK_NONE && p->lonely == t->messages[message].turn + 1 &&
        p->lonely_steps == p->e->steps)
        return false;
    for (m = t->messages[message].next; m != TK_NONE && t->messages[m].role == role;
         m = t->messages[m].next)
        if (!tk_is_partless(&t->messages[m])) {
            p->company = m;
            return true;
        }
    for (m = t->messages[message].prev; m != TK_NONE && t->messages[m].role == role;
         m = t->messages[m].prev)
        if (!tk_is_partless(&t->messages[m])) {
            p->company = m;
            return true;
        }
    p->lonely = t->messages[message].turn + 1;
    p->lonely_steps = p->e->steps;
    return false;
}

enum tk_action tk_want_without_parts(struct tk_plan *p, uint32_t message)
{
    const struct tk_message *m = &p->j->t->messages[message];

    if (tk_is_kept(p->j->t, message))
        return TK_ACTION_NONE;
    return m->role == TK_ROLE_USER && !has_company(p, message) ? TK_ACTION_REWRITE
                                                               : TK_ACTION_DROP_MESSAGE;
}

int tk_fix_without_parts(struct tk_plan *p, uint32_t message, uint16_t code)
{
    p->j->t->messages[message].flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    if (!tk_is_partless(&p->j->t->messages[message]))
        return 0;
    switch (tk_want_without_parts(p, message)) {
    case TK_ACTION_REWRITE:
        return tk_edit_append(p->e, message, code, TK_ACTION_REWRITE, TK_STR(TK_EMPTY_MESSAGE));
    case TK_ACTION_DROP_MESSAGE:
        return tk_edit_drop_message(p->e, message, code);
    default:
        return 0;
    }
}

int tk_settle_runs(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    for (uint32_t m = t->first_message, next; m != TK_NONE && r == 0 && !t->lone_turn; m = next) {
        next = t->messages[m].next;
        if (t->messages[m].flags & TK_MESSAGE_EMPTIED)
            r = tk_fix_without_parts(p, m,
                                     t->messages[m].role == TK_ROLE_USER
                                         ? p->j->rules->emptied_user
                                         : p->j->rules->emptied_other);
    }
    return r;
}
