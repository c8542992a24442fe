/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs system messages in a wrong place or with wrong content (CATALOGUE 3.3). */
#include "engine/protect.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/structure/emptied.h"

/* True if dropping the message would merge another assistant message into the protected turn. */
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
    return holds_off(p->j->t, f->site.entry) || tk_is_kept(p->j->t, f->site.entry)
               ? 0
               : tk_edit_drop_message(p->e, f->site.entry, f->code);
}

int tk_fix_empty_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    /* Blank texts have a rule of their own; once they are dropped, tk_settle() treats the message
     * like any other that an edit emptied. */
    if (p->j->t->messages[f->site.entry].flags & TK_MESSAGE_EMPTIED)
        return 0;
    if (holds_off(p->j->t, f->site.entry) && p->j->t->messages[f->site.entry].first == TK_NONE)
        return tk_hold_place(p, f->site.entry, f->code);
    return tk_fix_drop_message(p, f, d);
}

/* ---- blocks that a system message must not hold ---- */

/* True if the last walk began at this system message and would end at the same place today. */
static bool is_known(const struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t before = tk_anthropic(p->j)->round.asked.before;

    return message == tk_anthropic(p->j)->round.asked.message &&
           tk_anthropic(p->j)->round.asked.arrivals == t->arrivals &&
           (before == TK_NONE || !(t->messages[before].flags & TK_MESSAGE_DROPPED));
}

/* Returns the message before a run of system messages, or TK_NONE if the run begins the history.
 * Rules ask about the messages of a run in their order, so each of them is walked over once. */
static uint32_t before_run(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t m = message;

    while (m != TK_NONE && t->messages[m].role == TK_ROLE_SYSTEM && !is_known(p, m))
        m = t->messages[m].prev;
    if (m != TK_NONE && is_known(p, m))
        m = tk_anthropic(p->j)->round.asked.before;
    tk_anthropic(p->j)->round.asked.message = message;
    tk_anthropic(p->j)->round.asked.before = m;
    tk_anthropic(p->j)->round.asked.arrivals = t->arrivals;
    return m;
}

/* Returns the message before a run of system messages, or TK_NONE if it isn't the user's. */
static uint32_t user_before(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t before = before_run(p, message);

    return before != TK_NONE && t->messages[before].role == TK_ROLE_USER &&
                   tk_takes_parts(&t->messages[before])
               ? before
               : TK_NONE;
}

struct tk_decision tk_want_block_out(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    return user_before(p, f->site.entry) == TK_NONE ? tk_no_edit() : tk_edit_by(TK_ACTION_MOVE);
}

int tk_fix_block_out(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t to = user_before(p, p->j->t->parts[f->site.part].message);

    (void)d;
    if (to == TK_NONE)
        return 0;
    return tk_edit_move(p->e, f->site.part, f->code, to, p->j->t->messages[to].last);
}

/* ---- system messages in the wrong place ---- */

/*
 * True if the message is in the stretch that was walked last, before the user's last message in it.
 */
static bool is_in_stretch(const struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t turn = t->messages[message].turn;

    return tk_anthropic(p->j)->round.slide.user != TK_NONE &&
           turn >= tk_anthropic(p->j)->round.slide.first_turn &&
           turn < tk_anthropic(p->j)->round.slide.turn &&
           !(t->messages[tk_anthropic(p->j)->round.slide.user].flags & TK_MESSAGE_DROPPED);
}

/*
 * Returns the user's last message in the stretch of user and system messages that follows a system
 * message, or TK_NONE. All messages that have to leave the stretch move after it, so that one round
 * is enough for any number of them. The stretch is walked once.
 */
static uint32_t last_user_after(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t last = TK_NONE;

    if (is_in_stretch(p, message))
        return tk_anthropic(p->j)->round.slide.user;
    for (uint32_t m = t->messages[message].next;
         m != TK_NONE &&
         (t->messages[m].role == TK_ROLE_SYSTEM || t->messages[m].role == TK_ROLE_USER);
         m = t->messages[m].next)
        if (t->messages[m].role == TK_ROLE_USER)
            last = m;
    tk_anthropic(p->j)->round.slide.user = tk_anthropic(p->j)->round.slide.after = last;
    tk_anthropic(p->j)->round.slide.first_turn = t->messages[message].turn;
    tk_anthropic(p->j)->round.slide.turn = last == TK_NONE ? 0 : t->messages[last].turn;
    return last;
}

struct tk_decision tk_want_slide(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy)
{
    (void)policy;
    return last_user_after(p, f->site.entry) == TK_NONE ? tk_no_edit() : tk_edit_by(TK_ACTION_MOVE);
}

/* Returns the message after which the next one moves: the one that moved last, unless it was
 * dropped since. */
static uint32_t end_of_stretch(const struct tk_plan *p)
{
    uint32_t after = tk_anthropic(p->j)->round.slide.after;

    while (p->j->t->messages[after].flags & TK_MESSAGE_DROPPED)
        after = p->j->t->messages[after].prev;
    return after;
}

static uint32_t first_of_run(const struct tk_transcript *t, uint32_t message)
{
    uint32_t prev;

    while ((prev = t->messages[message].prev) != TK_NONE &&
           t->messages[prev].role == TK_ROLE_SYSTEM)
        message = prev;
    return message;
}

/* The finding names the run's last message. All messages of the run move, in their order, except
 * for directives, which may be anywhere. */
int tk_fix_slide(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t m = first_of_run(t, f->site.entry), next;
    int r = 0;

    (void)d;
    if (last_user_after(p, f->site.entry) == TK_NONE)
        return 0;
    for (bool last = false; !last && r == 0; m = next) {
        last = m == f->site.entry;
        next = t->messages[m].next;
        if (tk_is_directive(t, m))
            continue;
        r = tk_edit_message(p->e, m, f->code, TK_ACTION_MOVE);
        if (r == 0)
            tk_put_message_after(p->e, m, end_of_stretch(p));
        tk_anthropic(p->j)->round.slide.after = m;
    }
    return r;
}
