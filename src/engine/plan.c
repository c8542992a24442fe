/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/plan.h"

#include <errno.h>

#include "engine/fix.h"
#include "engine/protect.h"
#include "engine/ruleset.h"
#include "value/unicode.h"

static const struct tk_rule_fix *fix_of(const struct tk_plan *p, const struct tk_finding *f)
{
    return &p->j->rules->fixes[f->code];
}
/* A round that scanned the whole history once a task would take some 100 ms for this many tasks at
 * a million parts. */
#define TASKS_BETWEEN_POLLS 32
/* A task about a large element takes as long as many about small ones: what they make is work, too. */
#define BYTES_BETWEEN_POLLS ((size_t)1 << 20)

struct tk_decision tk_fix_by(struct tk_plan *p, const struct tk_finding *f,
                             const struct tk_policy *policy)
{
    const struct tk_rule_fix *fix = fix_of(p, f);

    return fix->want ? fix->want(p, f, policy) : tk_edit_by(fix->action);
}

static bool is_in_protected(const struct tk_plan *p, const struct tk_finding *f)
{
    return f->site.entry != TK_NONE && tk_is_protected(p->j->t, f->site.entry);
}

static bool partner_is_protected(const struct tk_plan *p, uint32_t part)
{
    uint32_t partner = TK_NONE;

    if (part != TK_NONE && p->j->rules->partner)
        partner = p->j->rules->partner(p->j, part);
    return partner != TK_NONE && tk_is_protected(p->j->t, p->j->t->parts[partner].message);
}

/* Returns true if the protected turn allows the fix. */
static bool allowed(const struct tk_plan *p, const struct tk_finding *f)
{
    switch (fix_of(p, f)->reach) {
    case TK_REACH_PART:
        return !is_in_protected(p, f);
    case TK_REACH_PAIR:
        return !is_in_protected(p, f) && !partner_is_protected(p, f->site.part);
    case TK_REACH_OWN:
        return fix_of(p, f)->may(p, f);
    case TK_REACH_GUARD:
        return p->guard || !is_in_protected(p, f);
    case TK_REACH_ANYWHERE:
        return true;
    }
    return false;
}

struct tk_decision tk_fix_wanted(struct tk_plan *p, const struct tk_finding *f)
{
    return allowed(p, f) ? tk_fix_by(p, f, p->j->policy) : tk_no_edit();
}

bool tk_is_forbidden(const struct tk_plan *p, const struct tk_finding *f)
{
    return !allowed(p, f);
}

/*
 * The tasks of a round: findings in report order with the decision for each. All decisions are made
 * before the first edit: the fix of one half of a pair must not see the other half edited.
 */
struct task {
    const struct tk_finding *finding;
    struct tk_decision decision;
};

struct tasks {
    struct tk_plan *plan;
    struct task *list;
    uint32_t count;
    uint32_t orders; /* ORDER_BIT of each order that a task has */
};

#define ORDER_BIT(order) (UINT32_C(1) << (order))

bool tk_plan_is_late(struct tk_plan *p)
{
    size_t made = tk_arena_size(p->j->t->arena);

    if (++p->tasks % TASKS_BETWEEN_POLLS != 0 && made - p->made < BYTES_BETWEEN_POLLS)
        return false;
    p->made = made;
    return tk_judge_is_late(p->j);
}

/* Returns where the task acts in its pass. */
static enum tk_order order_of(const struct tk_plan *p, const struct task *task)
{
    enum tk_order order = fix_of(p, task->finding)->order;

    return order == TK_ORDER_MOVE_FIRST && task->decision.action != TK_ACTION_MOVE ? TK_ORDER_PLAIN
                                                                                   : order;
}

static void add_task(struct tasks *tasks, struct task task)
{
    tasks->list[tasks->count++] = task;
    tasks->orders |= ORDER_BIT(order_of(tasks->plan, &task));
}

static int decide(void *arg, const struct tk_finding *f)
{
    struct tasks *tasks = arg;
    const struct tk_rule_fix *fix = fix_of(tasks->plan, f);
    struct tk_decision d;

    if (tk_plan_is_late(tasks->plan))
        return -ECANCELED;
    if (f->severity != TK_ERROR || !fix->act || fix->stage != tasks->plan->stage)
        return 0;
    d = tk_fix_wanted(tasks->plan, f);
    if (d.action != TK_ACTION_NONE || fix->always)
        add_task(tasks, (struct task){f, d});
    return 0;
}

/* Fills the tasks of a pass. */
static int decide_all(struct tasks *tasks)
{
    struct tk_judge *j = tasks->plan->j;

    tasks->list = tk_arena_alloc(j->t->arena, j->findings.count * sizeof(*tasks->list));
    return tasks->list ? tk_findings_walk(&j->findings, j->t, decide, tasks) : -ENOMEM;
}

/* Returns true if an edit of this round removed what the finding blames. */
static bool is_gone(const struct tk_transcript *t, const struct tk_finding *f)
{
    uint32_t message = f->site.part == TK_NONE ? f->site.entry : t->parts[f->site.part].message;

    return (f->site.part != TK_NONE && (t->parts[f->site.part].flags & TK_PART_REMOVED)) ||
           (message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_DROPPED));
}

static bool is_due(const struct tk_plan *p, const struct tk_finding *f)
{
    return !is_gone(p->j->t, f) && (f->site.part == TK_NONE || !tk_is_edited(p, f->site.part));
}

/* Runs the due fixes that have this order. */
static int act(const struct tasks *tasks, enum tk_order order)
{
    struct tk_plan *p = tasks->plan;
    int r = 0;

    for (uint32_t i = 0; (tasks->orders & ORDER_BIT(order)) && i < tasks->count && r == 0; i++) {
        const struct task *task = &tasks->list[i];

        if (tk_plan_is_late(p))
            return -ECANCELED;
        if (order_of(p, task) == order && is_due(p, task->finding))
            r = fix_of(p, task->finding)->act(p, task->finding, task->decision);
    }
    return r;
}

static void end_round(struct tk_plan *p, uint32_t first_edit)
{
    for (uint32_t i = first_edit; i < p->e->count; i++)
        if (p->e->list[i].site.part != TK_NONE)
            p->j->t->parts[p->e->list[i].site.part].flags &= ~(uint32_t)TK_PART_EDITED;
    /* Added parts have no line in the report, so their flags are cleared here. */
    for (uint32_t i = p->j->t->input_parts; i < p->j->t->part_count; i++)
        p->j->t->parts[i].flags &= ~(uint32_t)TK_PART_EDITED;
}

/* Calls a provider's function that belongs to a round. Returns its result; 0 if it is NULL. */
static int around(struct tk_plan *p, int (*hook)(struct tk_plan *p))
{
    return hook ? hook(p) : 0;
}

static int begin_pass(struct tk_plan *p, const struct tk_pass *pass)
{
    p->stage = pass->stage;
    p->knows_held = false;
    if (pass->one_by_one)
        return 0;
    return around(p, p->j->rules->begin_round);
}

/* Makes the edits of a pass, but for those of fixes that wait. */
static int edit(const struct tasks *tasks, const struct tk_pass *pass)
{
    struct tk_plan *p = tasks->plan;
    int r = pass->all ? pass->all(p) : act(tasks, TK_ORDER_MOVE_FIRST);

    if (r == 0)
        r = act(tasks, TK_ORDER_PLAIN);
    return r == 0 && !pass->one_by_one ? around(p, p->j->rules->settle) : r;
}

int tk_plan_run(struct tk_plan *p, const struct tk_pass *pass)
{
    struct tasks tasks = {.plan = p};
    uint32_t first_edit = p->e->count, steps = p->e->steps;
    int r = begin_pass(p, pass);

    if (r == 0 && !pass->all)
        r = decide_all(&tasks);
    if (r == 0)
        r = edit(&tasks, pass);
    if (r == 0 && p->e->steps == steps)
        r = act(&tasks, TK_ORDER_LAST);
    if (r == 0 && !pass->one_by_one)
        r = around(p, p->j->rules->end_round);
    end_round(p, first_edit);
    return r;
}

/* Returns true if the provider makes no text of a result. One without the function decides by itself. */
static bool lacks_text(struct tk_judge *j, uint32_t result)
{
    return j->rules->as_text && tk_is_blank(j->rules->as_text(j, result));
}

enum tk_action tk_plan_needed(struct tk_plan *p, const struct tk_finding *f)
{
    enum tk_action action = tk_fix_by(p, f, tk_policy_base(p->j->policy)).action;

    if (action == TK_ACTION_TEXTIFY && f->site.part != TK_NONE &&
        p->j->t->parts[f->site.part].kind == TK_PART_RESULT && lacks_text(p->j, f->site.part))
        return TK_ACTION_DROP;
    return action;
}
