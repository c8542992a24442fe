/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs thinking (CATALOGUE 3.5, OPERATIONS.md C.3 to C.5). */
#include "engine/protect.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

/* Returns true if the block has nothing to read: it is redacted or blank. */
static bool says_nothing(const struct tk_part *p)
{
    struct tk_val text = tk_part_val(p, p->payload);

    return p->kind == TK_PART_REDACTED || !tk_is(text, TK_STRING) || tk_text_is_blank(text);
}

struct tk_decision tk_want_unsigned(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return tk_edit_by(policy->unsigned_thinking == TK_FIX_DROP ? TK_ACTION_DROP : TK_ACTION_DEMOTE);
}

struct tk_decision tk_want_unordered(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    enum tk_fix fix = policy->thinking == TK_FIX_RESTORE ? policy->dead_thinking : policy->thinking;

    (void)p;
    (void)f;
    return fix == TK_FIX_REPORT ? tk_no_edit()
           : fix == TK_FIX_DROP ? tk_edit_by(TK_ACTION_DROP)
                                : tk_edit_by(TK_ACTION_DEMOTE);
}

struct tk_decision tk_want_in_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(says_nothing(&p->j->t->parts[f->site.part]) ? TK_ACTION_DROP
                                                                  : TK_ACTION_DEMOTE);
}

/*
 * Returns the first client call that precedes a part in its assistant message, or TK_NONE: the
 * provider refuses text after a call. Rules ask about the parts of a message in their order, so
 * each part is walked over once.
 */
static uint32_t call_before(struct tk_plan *p, uint32_t part)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[part].message, i;

    if (t->messages[message].role != TK_ROLE_ASSISTANT)
        return TK_NONE;
    if (tk_anthropic(p->j)->round.seen.message != message) {
        tk_anthropic(p->j)->round.seen.message = message;
        tk_anthropic(p->j)->round.seen.upto = tk_anthropic(p->j)->round.seen.call = TK_NONE;
    }
    i = tk_anthropic(p->j)->round.seen.upto == TK_NONE
            ? t->messages[message].first
            : t->parts[tk_anthropic(p->j)->round.seen.upto].next;
    for (; i != part; i = t->parts[i].next)
        if (tk_anthropic(p->j)->round.seen.call == TK_NONE && tk_is_call(&t->parts[i], false))
            tk_anthropic(p->j)->round.seen.call = i;
    tk_anthropic(p->j)->round.seen.upto = t->parts[part].prev;
    return tk_anthropic(p->j)->round.seen.call;
}

int tk_let_go(struct tk_plan *p, uint32_t part, uint16_t code, enum tk_action action)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_part *x = &t->parts[part];
    bool empty = says_nothing(x);
    uint32_t call = call_before(p, part);

    if (empty && x->kind == TK_PART_THINKING && !(x->flags & TK_PART_SIGNED))
        code = TK_CODE_THINKING_EMPTY;
    if (empty || action == TK_ACTION_DROP)
        return tk_edit_drop(p->e, part, code);
    return tk_edit_demote(p->e, part, code, call);
}

int tk_fix_dead_block(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return tk_let_go(p, f->site.part, f->code, d.action);
}

/*
 * All thinking of the turn goes, never a part of it: the rest wouldn't be what the provider sent.
 */
int tk_fix_dead_turn(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_turn *turn = &t->turns[t->messages[f->site.entry].turn];
    bool restores = p->j->policy->thinking == TK_FIX_RESTORE;
    int r = 0;

    /* Restart at the turn's first part; the cached position may be past this one. */
    tk_anthropic(p->j)->round.seen.message = TK_NONE;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0;) {
        uint32_t next = tk_turn_next(t, turn, i);

        if (tk_is_thinking(&t->parts[i]) && !tk_is_edited(p, i) &&
            !tk_is_in_order(&tk_anthropic(p->j)->seals, t->parts[i].message, restores))
            r = tk_let_go(p, i, f->code, d.action);
        i = next;
    }
    return r;
}

int tk_fix_malformed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;

    return &t->turns[t->messages[f->site.entry].turn] == tk_newest_turn(t)
               ? tk_fix_dead_turn(p, f, d)
               : tk_fix_dead_block(p, f, d);
}

int tk_fix_unwanted(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    (void)d;
    for (uint32_t i = f->site.part; i != TK_NONE && r == 0;) {
        uint32_t next = t->parts[i].next;

        if (tk_is_thinking(&t->parts[i]) && !tk_is_edited(p, i))
            r = tk_let_go(p, i, f->code, TK_ACTION_DEMOTE);
        i = next;
    }
    return r;
}

int tk_fix_missing_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r
                 : tk_change_set(p->e, f->site.part, &p->j->t->shape->thinking,
                                 tk_encode_text(p->e, TK_STR("")));
}

/* Returns true if the thinking that ends the turn becomes text itself. */
static bool becomes_text(const struct tk_plan *p, const struct tk_finding *f)
{
    return p->j->findings.by_code[TK_CODE_THINKING_DISABLED_FINAL] > 0 &&
           f->site.entry == p->j->t->last_message && !tk_is_protected(p->j->t, f->site.entry);
}

int tk_fix_final_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (becomes_text(p, f))
        return 0;
    return tk_edit_append(p->e, f->site.entry, f->code, d.action, TK_STR(TK_INTERRUPTED));
}
