/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Divides the entries into rounds and steps in one walk. Then joins pairs: a join of two rounds makes the first one reach to
 * the last; a join that leaves a step binds it.
 */
#include <errno.h>

#include "operations/fit/fit_inside.h"

/* ---- the walk ---- */

/* The run of the model's entries that is open, and the results after it: a step if a call is in it. */
struct open_run {
    uint32_t first, last; /* TK_NONE: none is open */
    bool calls, answered;
};

static bool has_client_call(const struct tk_transcript *t, uint32_t entry)
{
    for (uint32_t i = t->messages[entry].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return true;
    return false;
}

/* Ends the run; if it is a step, the step is added. */
static void end_run(struct tk_fit_plan *p, struct open_run *run)
{
    struct tk_fitted *f = p->f;

    if (run->first != TK_NONE && run->calls) {
        for (uint32_t i = run->first; i <= run->last; i++)
            f->entries[i].step = f->entries[i].round == TK_NONE ? TK_NONE : f->step_count;
        f->steps[f->step_count++] =
            (struct tk_fit_round_step){.first = run->first, .last = run->last};
    }
    *run = (struct open_run){TK_NONE, TK_NONE, false, false};
}

static void extend_run(struct tk_fit_plan *p, struct open_run *run, uint32_t entry)
{
    uint8_t kind = p->f->entries[entry].kind;

    if (kind == TK_ENTRY_MODEL) {
        if (run->answered)
            end_run(p, run);
        run->first = run->first == TK_NONE ? entry : run->first;
        run->calls = run->calls || has_client_call(p->t, entry);
        run->last = entry;
    } else if (kind == TK_ENTRY_RESULTS && run->first != TK_NONE) {
        run->answered = true;
        run->last = entry;
    } else {
        end_run(p, run);
    }
}

/* Ends the round that is open, and begins one with this entry. */
static void begin_round(struct tk_fit_plan *p, struct open_run *run, uint32_t entry)
{
    struct tk_fitted *f = p->f;

    end_run(p, run);
    if (f->round_count > 0)
        f->rounds[f->round_count - 1].end = f->step_count;
    f->rounds[f->round_count] = (struct tk_fit_round){
        .first = entry, .last = entry, .first_step = f->step_count, .reach = f->round_count};
    f->round_count++;
}

static int walk(struct tk_fit_plan *p)
{
    struct tk_fitted *f = p->f;
    struct open_run run = {TK_NONE, TK_NONE, false, false};
    uint8_t before = TK_ENTRY_SYSTEM; /* the kind of the entry before, system entries aside */

    for (uint32_t i = 0; i < p->entry_count; i++) {
        uint8_t kind = f->entries[i].kind;

        if (tk_fit_is_late(p))
            return -ECANCELED;
        if (kind == TK_ENTRY_SYSTEM)
            continue;
        if (f->round_count == 0 || (kind == TK_ENTRY_PROMPT && before != TK_ENTRY_PROMPT))
            begin_round(p, &run, i);
        f->entries[i].round = f->round_count - 1;
        f->rounds[f->round_count - 1].last = i;
        extend_run(p, &run, i);
        before = kind;
    }
    end_run(p, &run);
    if (f->round_count > 0)
        f->rounds[f->round_count - 1].end = f->step_count;
    return 0;
}

/* ---- joins ---- */

static void bind_step(struct tk_fitted *f, uint32_t step)
{
    if (step != TK_NONE)
        f->steps[step].bound = true;
}

static void join(struct tk_fitted *f, const struct tk_join *join)
{
    const struct tk_fit_entry *a = &f->entries[join->entry], *b = NULL;
    uint32_t first, last;

    if (join->other == TK_NONE) {
        bind_step(f, a->step);
        return;
    }
    b = &f->entries[join->other];
    if (a->step != b->step) {
        bind_step(f, a->step);
        bind_step(f, b->step);
    }
    if (a->round == TK_NONE || b->round == TK_NONE)
        return;
    first = a->round < b->round ? a->round : b->round;
    last = a->round < b->round ? b->round : a->round;
    if (f->rounds[first].reach < last)
        f->rounds[first].reach = last;
}

/* Joins a client's result with its call, and notes that the call has one. */
static int join_result(struct tk_fit_plan *p, struct tk_joins *joins, bool *answered,
                       uint32_t entry, uint32_t part)
{
    uint32_t call = p->rules->call_of(p->j, entry, part);

    if (call == TK_NONE)
        return 0;
    answered[call] = true;
    return tk_join_entries(joins, entry, p->t->parts[call].message);
}

/* Joins the client's calls and results. */
static int join_client_pairs(struct tk_fit_plan *p, struct tk_joins *joins)
{
    const struct tk_transcript *t = p->t;
    bool *answered = tk_arena_zalloc(t->arena, t->part_count, sizeof(*answered));
    int r = answered ? 0 : -ENOMEM;

    for (uint32_t m = 0; m < p->entry_count && r == 0; m++) {
        if (t->messages[m].flags & TK_MESSAGE_RESULT)
            r = join_result(p, joins, answered, m, TK_NONE);
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (tk_is_result(&t->parts[i], false))
                r = join_result(p, joins, answered, m, i);
    }
    for (uint32_t i = 0; i < t->part_count && r == 0; i++)
        if (tk_is_call(&t->parts[i], false) && !answered[i])
            r = tk_join_entries(joins, t->parts[i].message, TK_NONE);
    return r;
}

static int join_all(struct tk_fit_plan *p)
{
    struct tk_joins joins = {.arena = p->t->arena};
    int r = p->rules->join(p->j, &joins);

    if (r == 0)
        r = join_client_pairs(p, &joins);
    for (uint32_t i = 0; i < joins.count && r == 0; i++)
        join(p->f, &joins.list[i]);
    return r;
}

/* ---- what stays ---- */

static void keep(struct tk_fitted *f, uint32_t round, bool whole)
{
    if (round == TK_NONE)
        return;
    f->rounds[round].stays = true;
    f->rounds[round].whole = f->rounds[round].whole || whole;
}

static void keep_protected(struct tk_fit_plan *p, uint32_t entry)
{
    struct tk_fitted *f = p->f;

    if (p->t->messages[entry].flags & TK_MESSAGE_PROTECTED)
        bind_step(f, f->entries[entry].step);
    if (p->t->protected_message == entry)
        keep(f, f->entries[entry].round, false);
    if (p->rules->keeps_round && p->rules->keeps_round(p->j, entry))
        keep(f, f->entries[entry].round, true);
}

static void keep_pinned(struct tk_fit_plan *p)
{
    struct tk_val pin = p->o->pin;
    int64_t entry;

    for (struct tk_val v = tk_first(pin); tk_exists(v); v = tk_after(pin, v))
        if (tk_int64(v, &entry) && entry < p->entry_count)
            keep(p->f, p->f->entries[entry].round, true);
}

/* Returns the first round that has a prompt; TK_NONE: none has. */
static uint32_t first_prompted(const struct tk_fitted *f)
{
    for (uint32_t i = 0; i < f->round_count; i++)
        if (f->entries[f->rounds[i].first].kind == TK_ENTRY_PROMPT)
            return i;
    return TK_NONE;
}

/* Returns the first of the last n rounds. */
static uint32_t from_last(const struct tk_fitted *f, uint64_t n)
{
    return n >= f->round_count ? 0 : f->round_count - (uint32_t)n;
}

static void keep_rounds(struct tk_fit_plan *p)
{
    struct tk_fitted *f = p->f;

    p->fresh = from_last(f, p->o->keep_last_rounds);
    for (uint32_t i = 0; i < f->round_count; i++)
        if (i < p->o->keep_first_rounds)
            keep(f, i, true);
        else if (i >= p->fresh || i + 1 == f->round_count)
            keep(f, i, false);
    if (p->o->keep_first_prompt)
        keep(f, first_prompted(f), false);
    for (uint32_t i = 0; i < p->entry_count; i++)
        keep_protected(p, i);
    keep_pinned(p);
}

int tk_fit_read_rounds(struct tk_fit_plan *p)
{
    struct tk_fitted *f = p->f;
    int r;

    f->rounds = tk_arena_alloc(p->t->arena, p->entry_count * sizeof(*f->rounds));
    f->steps = tk_arena_alloc(p->t->arena, p->entry_count * sizeof(*f->steps));
    if (!f->rounds || !f->steps)
        return -ENOMEM;
    r = walk(p);
    if (r == 0)
        r = join_all(p);
    if (r == 0)
        keep_rounds(p);
    return r;
}
