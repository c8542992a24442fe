/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs the client's calls and results (PROVIDERS.md 6.1). */
#include <errno.h>

#include "engine/fix.h"
#include "engine/pairs/new_id.h"
#include "engine/runs.h"
#include "providers/bedrock/rules.h"
#include "providers/common/equal.h"
#include "shapes/shape.h"

/* ---- the results at the start of a message ---- */

/* Makes room for the notes of a round. Returns 0 or -ENOMEM. */
static int make_room(struct tk_plan *p, uint32_t message)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    struct tk_transcript *t = p->j->t;

    if (!round->leads) {
        round->lead_count = t->part_count;
        round->leads = tk_arena_zalloc(t->arena, t->part_count, sizeof(*round->leads));
    }
    while (round->leads && round->leading_count <= message) {
        if (!TK_GROW(t->arena, round->leading, round->leading_count, round->leading_capacity))
            return -ENOMEM;
        round->leading[round->leading_count++] = TK_NONE;
    }
    return round->leads ? 0 : -ENOMEM;
}

/* Finds the last of the results that a message begins with; TK_NONE: it begins otherwise. Those found before
 * are still there, so that only new ones are walked over. Returns 0 or -ENOMEM. */
static int find_leading(struct tk_plan *p, uint32_t message, uint32_t *ret)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    const struct tk_transcript *t = p->j->t;
    int r = make_room(p, message);
    uint32_t last, next;

    if (r < 0)
        return r;
    last = round->leading[message];
    next = last == TK_NONE ? t->messages[message].first : t->parts[last].next;
    for (; next != TK_NONE && tk_is_result(&t->parts[next], false); next = t->parts[next].next) {
        last = next;
        if (next < round->lead_count)
            round->leads[next] = true;
    }
    round->leading[message] = *ret = last;
    return 0;
}

void tk_brk_leaves(struct tk_plan *p, uint32_t result, bool in_place)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    const struct tk_part *part = &p->j->t->parts[result];

    if (!round->leads || result >= round->lead_count || !round->leads[result] ||
        part->message >= round->leading_count)
        return;
    if (in_place)
        round->leading[part->message] = TK_NONE;
    else if (round->leading[part->message] == result)
        round->leading[part->message] = part->prev;
}

/* Finds where the result of a call goes: a message, and the part that it goes after. Adds a message if there
 * is none for results. Returns 0 or -ENOMEM. */
static int find_place(struct tk_plan *p, uint32_t call, uint32_t *ret_message, uint32_t *ret_after)
{
    struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[call].message, next = t->messages[message].next;

    if (next == TK_NONE || tk_brk_is_model(t, next) || tk_is_broken(&t->messages[next]))
        next = tk_edit_add_message(p->e, message, TK_ROLE_USER, 0);
    if (next == TK_NONE)
        return -ENOMEM;
    *ret_message = next;
    return find_leading(p, next, ret_after);
}

/* ---- calls without a result ---- */

struct tk_decision tk_brk_want_result(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->unanswered_call == TK_FIX_REPORT ? tk_no_edit()
                                                    : tk_edit_by(TK_ACTION_INSERT_RESULT);
}

int tk_brk_fix_unanswered(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str id = tk_part_id(p->j->t, &p->j->t->parts[f->site.part]);
    uint32_t message = TK_NONE, after = TK_NONE;
    struct tk_encoding out;
    int r = find_place(p, f->site.part, &message, &after);

    (void)d;
    if (r == 0)
        r = tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_INSERT_RESULT);
    if (r < 0)
        return r;
    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_bedrock_write_result(&out.w, id, TK_STR(TK_NOT_EXECUTED),
                            !tk_brk_is(p->j, TK_BRK_NO_STATUS));
    tk_write_end(&out.w);
    tk_write_end(&out.w);
    return tk_edit_insert(p->e, message, after, tk_encode_end(&out));
}

/* ---- results in other places ---- */

struct tk_decision tk_brk_want_text(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->unmatched_result == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_TEXTIFY);
}

struct tk_decision tk_brk_want_outside(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    const struct tk_link *link = tk_part_link(&tk_bedrock(p->j)->pairs, f->site.part);

    return link->match == TK_MATCH_CLAIM ? tk_edit_by(TK_ACTION_MOVE)
                                         : tk_brk_want_text(p, f, policy);
}

/* Moves a result after those that the message after its call begins with, unless it is one of them. */
static int move_result(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_bedrock *own = tk_bedrock(p->j);
    uint32_t call = tk_part_link(&own->pairs, f->site.part)->partner;
    uint32_t message = TK_NONE, after = TK_NONE;
    int r = find_place(p, call, &message, &after);

    if (r < 0)
        return r;
    if (message == p->j->t->parts[f->site.part].message && f->site.part < own->round.lead_count &&
        own->round.leads[f->site.part])
        return 0;
    tk_brk_leaves(p, f->site.part, false);
    return tk_edit_move(p->e, f->site.part, f->code, message, after);
}

int tk_brk_fix_result(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_MOVE ? move_result(p, f)
                                      : tk_brk_textify(p, f->site.part, f->code);
}

/* ---- ids that two calls of a message have ---- */

/* Returns true if both are calls of one message, spelled the same. */
static bool is_copy(const struct tk_plan *p, uint32_t call, uint32_t other)
{
    const struct tk_part *a = &p->j->t->parts[call], *b;

    if (other == TK_NONE)
        return false;
    b = &p->j->t->parts[other];
    return a->message == b->message &&
           tk_is_equal(tk_part_val(a, a->node), tk_part_val(b, b->node), NULL);
}

struct tk_decision tk_brk_want_one_id(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy)
{
    uint32_t call = f->site.part;
    const struct tk_link *link = tk_part_link(&tk_bedrock(p->j)->pairs, call);

    (void)policy;
    return tk_edit_by(is_copy(p, call, link->first) || is_copy(p, call, link->before)
                          ? TK_ACTION_DROP
                          : TK_ACTION_REWRITE);
}

/* Returns the place after the last call or result of a message, in the order of the pairs. */
static uint32_t end_of(struct tk_plan *p, uint32_t message)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    const struct tk_transcript *t = p->j->t;

    if (round->end_message == message)
        return round->end;
    round->end_message = message;
    round->end = 0;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_link *link = tk_part_link(&tk_bedrock(p->j)->pairs, i);

        if (link->match != TK_MATCH_NONE && link->at >= round->end)
            round->end = link->at + 1;
    }
    return round->end;
}

int tk_brk_fix_one_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_pairs *pairs = &tk_bedrock(p->j)->pairs;
    const struct tk_link *link = tk_part_link(pairs, f->site.part);
    uint32_t result = link->match == TK_MATCH_PAIR ? link->partner : TK_NONE, at = link->at;
    struct tk_str id = tk_part_id(p->j->t, &p->j->t->parts[f->site.part]);
    int r;

    if (d.action == TK_ACTION_DROP)
        return tk_edit_drop(p->e, f->site.part, f->code);
    id = tk_unused_id(pairs, id, tk_is_used_before, end_of(p, f->site.entry));
    r = id.p ? tk_note_id(pairs, id, at) : -ENOMEM;
    if (r == 0)
        r = tk_brk_set_id(p, f->site.part, f->code, id);
    return r == 0 && result != TK_NONE ? tk_brk_set_id(p, result, f->code, id) : r;
}
