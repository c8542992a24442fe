/* SPDX-License-Identifier: Apache-2.0 */
/* What repair does about messages that stand, or hold, what they may not (CATALOGUE 3.3). */
#include "providers/anthropic/structure/fix_roles.h"
#include "rules/protect.h"

/* It is all that keeps another assistant message out of the protected turn. */
static bool holds_off(const struct tk_transcript *t, uint32_t message)
{
    uint32_t prev = t->messages[message].prev, next = t->messages[message].next;

    return prev != TK_NONE && next != TK_NONE && t->messages[prev].role == TK_ROLE_ASSISTANT &&
           t->messages[next].role == TK_ROLE_ASSISTANT &&
           (tk_is_protected(t, prev) || tk_is_protected(t, next));
}

int tk_fix_drop_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return holds_off(p->j->t, f->message) ? 0 : tk_edit_drop_message(p->e, f->message, f->code);
}

int tk_fix_empty_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    /* Blank texts go by themselves, then tk_settle() sees to it. */
    if (holds_off(p->j->t, f->message) && p->j->t->messages[f->message].first == TK_NONE)
        return tk_hold_place(p, f->message, f->code);
    return tk_fix_drop_message(p, f, d);
}

/* ---- blocks that no system message holds ---- */

/* The message in front of a run of system messages, if it is the user's. */
static uint32_t user_before(const struct tk_transcript *t, uint32_t message)
{
    while (message != TK_NONE && t->messages[message].role == TK_ROLE_SYSTEM)
        message = t->messages[message].prev;
    return message != TK_NONE && t->messages[message].role == TK_ROLE_USER &&
                   tk_takes_parts(&t->messages[message])
               ? message
               : TK_NONE;
}

struct tk_decision tk_want_block_out(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    return user_before(p->j->t, f->message) == TK_NONE ? tk_no_edit() : tk_edit_by(TK_ACTION_MOVE);
}

int tk_fix_block_out(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t to = user_before(p->j->t, p->j->t->parts[f->part].message);

    (void)d;
    if (to == TK_NONE)
        return 0;
    return tk_edit_move(p->e, f->part, f->code, to, p->j->t->messages[to].last);
}

/* ---- system messages in the wrong place ---- */

/* The last of the user messages that stand right behind a system message. */
static uint32_t last_user_behind(const struct tk_transcript *t, uint32_t message)
{
    uint32_t last = TK_NONE, m = t->messages[message].next;

    while (m != TK_NONE && t->messages[m].role == TK_ROLE_SYSTEM)
        m = t->messages[m].next;
    for (; m != TK_NONE && t->messages[m].role == TK_ROLE_USER; m = t->messages[m].next)
        last = m;
    return last;
}

struct tk_decision tk_want_slide(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy)
{
    (void)policy;
    return last_user_behind(p->j->t, f->message) == TK_NONE ? tk_no_edit()
                                                            : tk_edit_by(TK_ACTION_MOVE);
}

int tk_fix_slide(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t behind = last_user_behind(p->j->t, f->message);

    (void)d;
    return behind == TK_NONE ? 0 : tk_edit_move_message(p->e, f->message, f->code, behind);
}
