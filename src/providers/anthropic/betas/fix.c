/* SPDX-License-Identifier: Apache-2.0 */
/* Removes blocks and members that the request's header doesn't allow (CATALOGUE 3.10, 3.11). */
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/text/move_text.h"

#include <errno.h>

/* ---- blocks ---- */

struct tk_decision tk_want_no_advice(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    if (!policy->preserve)
        return tk_no_edit();
    return tk_edit_by(p->j->t->parts[f->site.part].kind == TK_PART_CALL ? TK_ACTION_DROP
                                                                        : TK_ACTION_TEXTIFY);
}

struct tk_decision tk_want_out(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return tk_edit_by(policy->preserve ? TK_ACTION_DROP : TK_ACTION_NONE);
}

/* Begins to count the thinking of a turn. */
static struct tk_thinking_count count_thinking(const struct tk_transcript *t, uint32_t turn)
{
    struct tk_thinking_count c = {.turn = turn, .upto = tk_turn_first(t, &t->turns[turn])};

    for (uint32_t i = c.upto; i != TK_NONE; i = tk_turn_next(t, &t->turns[turn], i))
        c.all += tk_is_thinking(&t->parts[i]);
    return c;
}

/* Counts the thinking before a part. Returns false if the count is beyond that part already. */
static bool count_upto(struct tk_thinking_count *c, const struct tk_transcript *t, uint32_t part)
{
    for (; c->upto != TK_NONE && c->upto != part;
         c->upto = tk_turn_next(t, &t->turns[c->turn], c->upto))
        c->before += tk_is_thinking(&t->parts[c->upto]);
    return c->upto == part;
}

/* Returns true if the turn has thinking before the part and after it. The count goes on from the last
 * part that was asked about, since parts are asked about in their order. */
static bool parts_thinking(struct tk_plan *p, uint32_t part)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_thinking_count *c = &tk_anthropic(p->j)->round.thinking;
    uint32_t turn = t->messages[t->parts[part].message].turn;

    if (turn == TK_NONE)
        return false;
    if (c->turn != turn || !count_upto(c, t, part)) {
        *c = count_thinking(t, turn);
        count_upto(c, t, part);
    }
    return c->before > 0 && c->before < c->all;
}

struct tk_decision tk_want_no_fallback(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    return tk_edit_by(policy->preserve && !parts_thinking(p, f->site.part) ? TK_ACTION_DROP
                                                                           : TK_ACTION_NONE);
}

/* ---- a message's own members ---- */

/* Returns true if the message has nothing but settings. */
static bool holds_nothing_else(const struct tk_message *m)
{
    struct tk_val whole = {m->doc, m->node};

    if (m->first != TK_NONE)
        return false;
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v))
        if (!tk_key_is(v, TK_STR("role")) && !tk_key_is(v, TK_STR("content")) &&
            !tk_key_is(v, TK_STR("output_config")))
            return false;
    return true;
}

struct tk_decision tk_want_no_output_config(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy)
{
    bool goes = policy->preserve && holds_nothing_else(&p->j->t->messages[f->site.entry]);

    return tk_edit_by(goes ? TK_ACTION_DROP_MESSAGE : TK_ACTION_NONE);
}

struct tk_decision tk_want_no_clear_at(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return tk_edit_by(policy->preserve ? TK_ACTION_REWRITE : TK_ACTION_NONE);
}

int tk_fix_clear_at(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_message *m = &p->j->t->messages[f->site.entry];
    int r;

    (void)d;
    /* The message may have become the user's in this round, without the member. */
    if (!tk_exists(tk_get((struct tk_val){m->doc, m->node}, TK_STR("clear_at"))))
        return 0;
    r = tk_edit_message(p->e, f->site.entry, f->code, TK_ACTION_REWRITE);
    return r < 0 ? r : tk_message_remove(p->e, f->site.entry, "clear_at");
}

/* ---- compaction ---- */

static struct tk_val summary_of(const struct tk_plan *p, uint32_t part)
{
    const struct tk_part *block = &p->j->t->parts[part];

    return tk_get(tk_part_val(block, block->node), TK_STR("content"));
}

static bool has_summary(const struct tk_plan *p, uint32_t part)
{
    struct tk_val summary = summary_of(p, part);

    return tk_is(summary, TK_STRING) && !tk_text_is_blank(summary);
}

/* Returns true if the policy lets a compaction block go that a rule blames. */
static bool may_go(uint16_t code, const struct tk_policy *policy)
{
    return code == TK_CODE_COMPACTION_SIGNATURE_MISSING ||
           (policy->preserve &&
            (code == TK_CODE_COMPACTION_BLOCK_BETA || code == TK_CODE_COMPACTION_STRATEGY_MISSING));
}

/* Returns true for a compaction block that won't stay. */
static bool goes(const struct tk_plan *p, uint32_t part, const struct tk_policy *policy)
{
    const struct tk_findings *f = &p->j->findings;

    for (uint32_t i = p->j->t->parts[part].finding; i != TK_NONE; i = f->list[i].next)
        if (may_go(f->list[i].code, policy))
            return true;
    return false;
}

/* Returns true if nothing that stays precedes the block in its turn. Only blocks that go may. The
 * last block that was found to be so is remembered, since the blocks of a message are asked about in
 * their order. */
static bool opens_turn(struct tk_plan *p, uint32_t part, const struct tk_policy *policy)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_message *m = &t->messages[t->parts[part].message];
    uint32_t *opening = &tk_anthropic(p->j)->round.opening, before = t->parts[part].prev;

    if (m->turn == TK_NONE || t->turns[m->turn].first != t->parts[part].message)
        return false;
    while (before != TK_NONE && before != *opening && goes(p, before, policy))
        before = t->parts[before].prev;
    if (before != TK_NONE && before != *opening)
        return false;
    *opening = part;
    return true;
}

/*
 * Wants the summary told by the user. In a user message it takes the block's place; one that opens
 * the assistant's turn becomes a message before the turn. Elsewhere that would change the order of
 * what was said. A block without a summary goes.
 */
struct tk_decision tk_want_summary(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    uint8_t role = p->j->t->messages[p->j->t->parts[f->site.part].message].role;

    if (!may_go(f->code, policy))
        return tk_no_edit();
    if (!has_summary(p, f->site.part))
        return tk_edit_by(TK_ACTION_DROP);
    if (role == TK_ROLE_USER || (role == TK_ROLE_ASSISTANT && opens_turn(p, f->site.part, policy)))
        return tk_edit_by(TK_ACTION_REWRITE);
    return tk_no_edit();
}

/* Puts the summary of a block of the user into its place, or into a user message before the turn.
 * Earlier blocks of this round share that message. */
int tk_fix_summary(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[f->site.part].message, before = t->messages[message].prev;
    struct tk_val summary = summary_of(p, f->site.part);

    if (d.action == TK_ACTION_DROP)
        return tk_edit_drop(p->e, f->site.part, f->code);
    if (t->messages[message].role == TK_ROLE_USER)
        return tk_edit_become_text(
            p->e, f->site.part, f->code, TK_ACTION_REWRITE,
            tk_encode_string_part(p->e, tk_span(summary), tk_marker_of(t, f->site.part)));
    if (before == TK_NONE || !(t->messages[before].flags & TK_MESSAGE_MADE) ||
        t->messages[before].role != TK_ROLE_USER)
        before = tk_edit_add_message(p->e, before, TK_ROLE_USER, 0);
    return before == TK_NONE ? -ENOMEM
                             : tk_rewrite_into(p->e, f->site.part, f->code, summary, before,
                                               t->messages[before].last);
}
