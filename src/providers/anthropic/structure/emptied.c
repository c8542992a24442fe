/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/structure/emptied.h"

#include "engine/protect.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/steps.h"
#include "shapes/shape.h"

static const struct tk_str placeholder = TK_STR_INIT(TK_EMPTY_MESSAGE);

/* Returns true for an answer, the only message of its turn, that follows a system message. Nobody
 * gave the instruction "(empty)", so a system message gets no such text. */
static bool answers_system(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    const struct tk_turn *turn = &t->turns[m->turn];

    return t->shape->wire && m->role == TK_ROLE_ASSISTANT && turn->first == turn->last &&
           m->prev != TK_NONE && t->messages[m->prev].role == TK_ROLE_SYSTEM;
}

/* Return the message before or after a message. Skip those that the adapter lifts out. */
static uint32_t before(const struct tk_transcript *t, uint32_t message)
{
    do
        message = t->messages[message].prev;
    while (message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_TRANSPARENT));
    return message;
}

static uint32_t after(const struct tk_transcript *t, uint32_t message)
{
    do
        message = t->messages[message].next;
    while (message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_TRANSPARENT));
    return message;
}

/* Returns the last message that goes if this one does. A turn without parts goes whole, unless one
 * of its messages stays: then messages go one by one. */
static uint32_t last_to_go(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_turn *turn = &t->turns[t->messages[message].turn];
    bool whole = !(turn->flags & (TK_TURN_HAS_PARTS | TK_TURN_KEPT)) &&
                 !(t->messages[turn->last].flags & TK_MESSAGE_DROPPED);

    return whole ? turn->last : message;
}

/*
 * Returns true if dropping the message, and with it what its turn still has, would merge the
 * assistant messages around them, and one of those is protected. The first message of a turn keeps
 * the place, so that the answer doesn't depend on what follows the protected turn.
 */
static bool would_join_protected(const struct tk_transcript *t, uint32_t message)
{
    uint32_t prev = before(t, message), next = after(t, last_to_go(t, message));

    return prev != TK_NONE && next != TK_NONE && t->messages[prev].role == TK_ROLE_ASSISTANT &&
           t->messages[next].role == TK_ROLE_ASSISTANT &&
           (tk_is_protected(t, prev) || tk_is_protected(t, next));
}

/* Returns true if the message continues the turn of an earlier one, since those between were
 * dropped. */
static bool continues_turn(const struct tk_transcript *t, uint32_t message)
{
    uint32_t prev = before(t, message);
    const struct tk_message *p = prev == TK_NONE ? NULL : &t->messages[prev];

    if (!p || p->role != t->messages[message].role)
        return false;
    return p->first != TK_NONE ||
           (p->turn != TK_NONE && (t->turns[p->turn].flags & TK_TURN_HAS_PARTS));
}

static bool must_stay(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    const struct tk_turn *turn = &t->turns[m->turn];

    if (m->flags & TK_MESSAGE_PROTECTED || turn->flags & TK_TURN_HAS_PARTS)
        return false;
    if (m->role == TK_ROLE_USER && !(turn->flags & TK_TURN_CROSSED) && !continues_turn(t, message))
        return true;
    return would_join_protected(t, message) || answers_system(t, message);
}

/* Returns true if the message before it was emptied in this round and may be dropped in the next
 * one. A message that isn't bare is never dropped, nor is the only one that has a role. */
static bool has_to_wait(const struct tk_transcript *t, uint32_t message)
{
    uint32_t prev = before(t, message);

    return prev != TK_NONE && t->messages[prev].first == TK_NONE &&
           (t->messages[prev].flags & TK_MESSAGE_EMPTIED) && !tk_is_kept(t, prev);
}

int tk_hold_place(struct tk_plan *p, uint32_t message, uint16_t code)
{
    uint32_t turn = p->j->t->messages[message].turn;

    if (turn != TK_NONE)
        p->j->t->turns[turn].flags |= TK_TURN_HAS_PARTS;
    return tk_edit_append(p->e, message, code, TK_ACTION_REWRITE, placeholder);
}

/* Replaces a message that can't contain a text by a user message. */
static int replace(struct tk_plan *p, uint32_t message, uint16_t code)
{
    int r = tk_edit_add_user(p->e, message, code, message, placeholder);

    if (r == 0)
        tk_remove_message(p->e, message);
    return r;
}

/* Returns true if messages that lost only their thinking stay with a placeholder (OPERATIONS.md C.7
 * O3). */
static bool keeps_place(const struct tk_plan *p)
{
    return tk_is_about_thinking(p->stage) && tk_own_policy(p->j)->placeholder;
}

int tk_settle(struct tk_plan *p, uint32_t message, uint16_t code)
{
    struct tk_transcript *t = p->j->t;
    struct tk_message *m = &t->messages[message];

    if (tk_is_kept(t, message)) {
        m->flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
        return 0;
    }
    if (has_to_wait(t, message))
        return 0;
    if (m->turn == TK_NONE || !(keeps_place(p) || must_stay(t, message)))
        return tk_edit_drop_message(p->e, message, code);
    if ((m->flags & TK_MESSAGE_TOOL) && tk_adapter_of(t->shape)->bare_tool_messages)
        return replace(p, message, code);
    return tk_hold_place(p, message, code);
}

/* Returns true if a rule blames the message for being empty. */
static bool is_found_empty(const struct tk_plan *p, const struct tk_message *m)
{
    for (uint32_t i = m->finding; i != TK_NONE; i = p->j->findings.list[i].next)
        if (p->j->findings.list[i].code == TK_CODE_USER_CONTENT_EMPTY ||
            p->j->findings.list[i].code == TK_CODE_MESSAGE_CONTENT_EMPTY)
            return true;
    return false;
}

/* Returns true if the message was empty as sent. False if an edit emptied one of its turn's
 * messages: the turn's remaining messages are handled first. */
static bool is_blamed(const struct tk_plan *p, const struct tk_message *m)
{
    if (p->stage != TK_STAGE_RULES ||
        (m->turn != TK_NONE && (p->j->t->turns[m->turn].flags & TK_TURN_EMPTIED)))
        return false;
    return is_found_empty(p, m);
}

/* Marks turns in which an edit emptied a message that this round will see to. One that isn't bare
 * stays as it is, so its turn has nothing to wait for. */
static void mark_emptied(struct tk_transcript *t)
{
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        if ((t->messages[m].flags & (TK_MESSAGE_SETTLE | TK_MESSAGE_KEPT)) == TK_MESSAGE_SETTLE &&
            t->messages[m].first == TK_NONE && t->messages[m].turn != TK_NONE)
            t->turns[t->messages[m].turn].flags |= TK_TURN_EMPTIED;
}

/* Marks turns that won't go whole: one of their messages came without content, and no rule minds. */
static void mark_staying(struct tk_plan *p)
{
    struct tk_transcript *t = p->j->t;

    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next) {
        const struct tk_message *m = &t->messages[i];

        if (m->first == TK_NONE && m->turn != TK_NONE &&
            !(m->flags & (TK_MESSAGE_EMPTIED | TK_MESSAGE_SETTLE)) && !is_found_empty(p, m))
            t->turns[m->turn].flags |= TK_TURN_KEPT;
    }
}

void tk_mark_to_settle(struct tk_transcript *t)
{
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        if (t->messages[m].flags & TK_MESSAGE_EMPTIED)
            t->messages[m].flags |= TK_MESSAGE_SETTLE;
}

int tk_settle_all(struct tk_plan *p)
{
    struct tk_transcript *t = p->j->t;
    int r = 0;

    if (t->lone_turn)
        return 0;
    mark_emptied(t);
    mark_staying(p);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0;) {
        struct tk_message *message = &t->messages[m];
        uint32_t next = message->next;
        bool due = (message->flags & TK_MESSAGE_SETTLE) || is_blamed(p, message);

        message->flags &= ~(uint32_t)TK_MESSAGE_SETTLE;
        if (due && message->first == TK_NONE)
            r = tk_settle(p, m,
                          (message->role == TK_ROLE_USER ? TK_CODE_USER_CONTENT_EMPTY
                                                         : TK_CODE_MESSAGE_CONTENT_EMPTY));
        m = next;
    }
    return r;
}
