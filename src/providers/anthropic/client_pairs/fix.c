/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs client pairs (CATALOGUE 3.2, RULES.md 6.3). */
#include <errno.h>

#include "engine/pairs/new_id.h"
#include "providers/anthropic/client_pairs/insert_point.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/text/as_text.h"
#include "providers/anthropic/text/move_text.h"
#include "shapes/shape.h"
#include "value/unicode.h"

/* ---- what the policy wants of orphans ---- */

struct tk_decision tk_want_answer(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->unanswered_call == TK_FIX_REPORT ? tk_no_edit()
                                                    : tk_edit_by(TK_ACTION_INSERT_RESULT);
}

struct tk_decision tk_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->unmatched_result == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_TEXTIFY);
}

struct tk_decision tk_want_inside(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(tk_client_partner(p->j, f->site.part) == TK_NONE ? TK_ACTION_TEXTIFY
                                                                       : TK_ACTION_MOVE);
}

/* ---- answers ---- */

int tk_fix_answer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_insert_point point = tk_insert_point_after_call(p, f->site.part);
    uint32_t result = p->j->t->part_count;
    int r;

    (void)d;
    if (point.message == TK_NONE)
        return -ENOMEM;
    r = tk_edit_unexecuted(p->e, f->site.part, f->code, point.message, point.after);
    if (r == 0)
        tk_insert_point_used(p, point, result);
    return r;
}

/* Moves the result to the point, unless earlier edits left it there. */
static int move_to(struct tk_plan *p, const struct tk_finding *f, struct tk_insert_point point)
{
    int r = point.message == TK_NONE ? -ENOMEM : 0;

    if (r == 0 && !tk_insert_point_has(p, point, f->site.part))
        r = tk_edit_move(p->e, f->site.part, f->code, point.message, point.after);
    if (r == 0)
        tk_insert_point_used(p, point, f->site.part);
    return r;
}

int tk_fix_not_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_insert_point point;

    (void)d;
    /* A merge has put the results of the message first. */
    if (p->j->t->messages[f->site.entry].flags & TK_MESSAGE_MERGED)
        return 0;
    point = tk_insert_point_after_call(p, tk_client_partner(p->j, f->site.part));
    if (point.message == p->j->t->parts[f->site.part].message &&
        tk_insert_point_is_leading(p, f->site.part))
        return 0;
    return move_to(p, f, point);
}

/* ---- results that answer nothing ---- */

static int textify(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_message *m = &t->messages[t->parts[f->site.part].message];
    uint16_t code = f->code;
    struct tk_str text = tk_textify(p->j, f->site.part);
    uint32_t put = f->site.part;
    bool in_place = true;
    struct tk_insert_point point;
    int r;

    if (tk_is_blank(text))
        return tk_edit_drop(p->e, f->site.part, code);
    if (m->role != TK_ROLE_USER)
        return tk_edit_textify(p->e, f->site.part, code, text);
    if ((m->flags & TK_MESSAGE_TOOL) && tk_adapter_of(t->shape)->bare_tool_messages)
        return tk_textify_after(p->e, f->site.part, code, text);
    point = tk_insert_point_for_text(p, f->site.part, &in_place);
    if (point.message == TK_NONE)
        return -ENOMEM;
    if (!in_place)
        put = t->part_count;
    r = in_place ? tk_edit_textify(p->e, f->site.part, code, text)
                 : tk_textify_into(p->e, f->site.part, code, text, point.message, point.after);
    if (r == 0)
        tk_insert_point_text_put(p, point.message, put);
    return r;
}

int tk_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (d.action == TK_ACTION_TEXTIFY)
        return textify(p, f);
    return move_to(p, f, tk_insert_point_after_call(p, tk_client_partner(p->j, f->site.part)));
}

/* ---- ids that are used again ---- */

static const struct tk_link *link_of(const struct tk_plan *p, uint32_t part)
{
    return tk_part_link(&tk_anthropic(p->j)->clients.pairs, part);
}

static bool is_copy_of(const struct tk_plan *p, uint32_t call, uint32_t other)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_part *a = &t->parts[call], *b;

    if (other == TK_NONE)
        return false;
    b = &t->parts[other];
    return t->messages[a->message].turn == t->messages[b->message].turn &&
           tk_is_same_value(tk_part_val(a, a->node), tk_part_val(b, b->node));
}

struct tk_decision tk_want_repeated(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy)
{
    const struct tk_link *link = link_of(p, f->site.part);

    (void)policy;
    if (is_copy_of(p, f->site.part, link->first) || is_copy_of(p, f->site.part, link->before))
        return tk_edit_by(TK_ACTION_DROP);
    return tk_edit_by(TK_ACTION_REWRITE);
}

/* Returns the place of the last call or result of a turn. Walks a turn once a round. */
static uint32_t last_place(struct tk_plan *p, uint32_t turn)
{
    const struct tk_transcript *t = p->j->t;

    if (turn == TK_NONE || tk_anthropic(p->j)->round.placed_turn == turn)
        return turn == TK_NONE ? 0 : tk_anthropic(p->j)->round.last_place;
    tk_anthropic(p->j)->round.placed_turn = turn;
    tk_anthropic(p->j)->round.last_place = 0;
    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i))
        if (link_of(p, i)->at != TK_NONE)
            tk_anthropic(p->j)->round.last_place = link_of(p, i)->at;
    return tk_anthropic(p->j)->round.last_place;
}

/* Returns the place after the last call or result of a call's turn. */
static uint32_t end_of_turn(struct tk_plan *p, uint32_t call)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t at = link_of(p, call)->at;
    uint32_t last = last_place(p, t->messages[t->parts[call].message].turn);

    return (at > last ? at : last) + 1;
}

static int rename_call(struct tk_plan *p, uint32_t call, uint16_t code)
{
    struct tk_pairs *pairs = &tk_anthropic(p->j)->clients.pairs;
    uint32_t result = tk_client_partner(p->j, call);
    struct tk_str old = tk_part_id(p->j->t, &p->j->t->parts[call]);
    struct tk_str id = tk_unused_id(pairs, old, tk_is_used_before, end_of_turn(p, call));
    /* A later turn may have the same id, but no other call of this one. */
    int r = id.p ? tk_note_id(pairs, id, link_of(p, call)->at) : -ENOMEM;

    if (r == 0)
        r = tk_fix_id(p, call, code, id);
    return r < 0 || result == TK_NONE ? r : tk_fix_id(p, result, code, id);
}

int tk_fix_repeated(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_DROP ? tk_edit_drop(p->e, f->site.part, f->code)
                                      : rename_call(p, f->site.part, f->code);
}

/* ---- calls in user messages ---- */

/*
 * Returns the last part of a turn that isn't a client call, or TK_NONE. Walks a turn once a round.
 */
static uint32_t last_other(struct tk_plan *p, uint32_t turn)
{
    const struct tk_transcript *t = p->j->t;

    if (tk_anthropic(p->j)->round.other_turn == turn)
        return tk_anthropic(p->j)->round.last_other;
    tk_anthropic(p->j)->round.other_turn = turn;
    tk_anthropic(p->j)->round.last_other = TK_NONE;
    for (uint32_t i = tk_turn_first(t, &t->turns[turn]); i != TK_NONE;
         i = tk_turn_next(t, &t->turns[turn], i))
        if (!tk_is_call(&t->parts[i], false))
            tk_anthropic(p->j)->round.last_other = i;
    return tk_anthropic(p->j)->round.last_other;
}

static bool is_where_sent(const struct tk_transcript *t, uint32_t part)
{
    return part < t->input_parts && !(t->parts[part].flags & TK_PART_MOVED);
}

/* Returns true if something that stays follows the part in its user turn. */
static bool something_follows(struct tk_plan *p, uint32_t part)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t turn = t->messages[t->parts[part].message].turn, last;

    if (turn == TK_NONE)
        return false;
    last = last_other(p, turn);
    if (last == TK_NONE || (is_where_sent(t, part) && is_where_sent(t, last)))
        return last != TK_NONE && part < last;
    while (part != TK_NONE && part != last)
        part = tk_turn_next(t, &t->turns[turn], part);
    return part != TK_NONE;
}

static bool is_behind_signed(const struct tk_transcript *t, uint32_t message)
{
    uint32_t turn = t->messages[message].turn;

    return turn == TK_NONE || turn >= t->first_signed_turn;
}

struct tk_decision tk_want_call_in_user(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    const struct tk_transcript *t = p->j->t;

    if (policy->preserve && t->messages[f->site.entry].role == TK_ROLE_USER &&
        !is_behind_signed(t, f->site.entry) && something_follows(p, f->site.part))
        return tk_edit_by(TK_ACTION_MOVE);
    return tk_edit_by(TK_ACTION_DROP);
}

static const struct tk_finding *finding_of(const struct tk_plan *p, uint32_t part, uint16_t code)
{
    const struct tk_findings *f = &p->j->findings;

    for (uint32_t i = p->j->t->parts[part].finding; i != TK_NONE; i = f->list[i].next)
        if (f->list[i].code == code)
            return &f->list[i];
    return NULL;
}

/* Returns true if the part is a call in a user message that is to be moved. */
static bool splits(struct tk_plan *p, uint32_t part)
{
    const struct tk_finding *f = finding_of(p, part, TK_CODE_TOOL_USE_IN_USER);

    return f && !tk_is_edited(p, part) && tk_fix_wanted(p, f).action == TK_ACTION_MOVE;
}

/*
 * Splits a message at the call: what precedes it stays, the call gets an assistant message of its
 * own, and what follows gets a user message, which further calls split in turn. All calls of the
 * message are handled at once, so that each part moves once.
 */
static int split_off(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_transcript *t = p->j->t;
    uint32_t from = t->parts[f->site.part].message, last = from, into = TK_NONE;
    int r = 0;

    for (uint32_t i = f->site.part, next; i != TK_NONE && r == 0; i = next) {
        next = t->parts[i].next;
        if (splits(p, i)) {
            last = tk_edit_add_message(p->e, last, TK_ROLE_ASSISTANT, 0);
            into = TK_NONE;
            r = last == TK_NONE ? -ENOMEM : tk_edit_move(p->e, i, f->code, last, TK_NONE);
            continue;
        }
        if (into == TK_NONE)
            into = last = tk_edit_add_message(p->e, last, TK_ROLE_USER,
                                              t->messages[from].flags & TK_MESSAGE_TOOL);
        if (into == TK_NONE)
            return -ENOMEM;
        r = tk_edit_carry(p->e, i, into, t->messages[into].last);
    }
    return r;
}

int tk_fix_call_in_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_MOVE ? split_off(p, f) : tk_edit_drop(p->e, f->site.part, f->code);
}
