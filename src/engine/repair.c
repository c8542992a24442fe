/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/repair.h"

#include <errno.h>
#include <string.h>

#include "engine/fix.h"

/* A step that made no edit in its last run is skipped until another step has made one. */
#define NEVER UINT32_MAX

/* Returns an upper bound of the steps. Every round removes a violation, so only a defect of ours
 * can reach it. */
static uint64_t round_limit(const struct tk_repair *r)
{
    return ((uint64_t)r->judge.t->input_parts + r->judge.t->input_messages + 2) * TK_MAX_STEPS;
}

static bool has_emptied(const struct tk_transcript *t)
{
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        if (t->messages[m].flags & TK_MESSAGE_EMPTIED)
            return true;
    return false;
}

bool tk_repair_has_work(const struct tk_repair *r, uint8_t stage)
{
    const struct tk_rule_fix *fixes = r->judge.rules->fixes;

    for (int code = 0; r->judge.findings.errors > 0 && code < TK_CODE_COUNT; code++)
        if (fixes[code].stage == stage && r->judge.findings.errors_by_code[code] > 0)
            return true;
    return r->edits.steps > 0 && has_emptied(r->judge.t);
}

/* Judges again if there were edits: they make findings invalid. */
static int judge_again(struct tk_repair *r, uint32_t before)
{
    return r->edits.steps > before ? tk_judge(&r->judge) : 0;
}

static bool is_cancelled(const struct tk_repair *r)
{
    return r->judge.cancelled && r->judge.cancelled(r->judge.cancel_arg);
}

bool tk_repair_has_errors(const struct tk_repair *r)
{
    return r->judge.findings.errors > 0;
}

int tk_repair_round(struct tk_repair *r, const struct tk_step *step)
{
    return tk_repair_own(r, step, NULL);
}

int tk_repair_own(struct tk_repair *r, const struct tk_step *step, int (*all)(struct tk_plan *p))
{
    struct tk_pass pass = {.stage = step->stage, .all = all};
    uint32_t before = r->edits.steps;
    int err = is_cancelled(r) ? -ECANCELED : tk_plan_run(&r->plan, &pass);

    return err == 0 ? judge_again(r, before) : err;
}

/* Finds the faults of one check and fixes them. changed: there were edits since the judge began. */
static int run_check(struct tk_repair *r, const struct tk_check *check, const struct tk_pass *pass,
                     bool changed)
{
    struct tk_judge *j = &r->judge;
    int err = 0;

    if (tk_judge_is_late(j))
        return -ECANCELED;
    if (changed)
        err = tk_judge_begin(j);
    else
        tk_findings_reset(&j->findings, j->t);
    if (err == 0)
        err = tk_judge_check(j, check);
    return err == 0 && j->findings.errors > 0 ? tk_plan_run(&r->plan, pass) : err;
}

/* A check's notes in `j->own` are still there when its fixes act, but have no entries for parts and
 * messages that an edit added. */
int tk_repair_one_by_one(struct tk_repair *r, const struct tk_step *step)
{
    struct tk_pass pass = {.stage = step->stage, .one_by_one = true};
    const struct tk_check *checks = r->judge.rules->checks;
    uint64_t found = r->judge.found;
    uint32_t before = r->edits.steps, judged = before;
    int err = 0;

    for (size_t i = 0; checks[i].name && err == 0; i++) {
        bool changed = r->edits.steps != judged;

        /* Before the first edit, only checks that found something have something to fix. */
        if (r->edits.steps == before && !(found & tk_check_bit(i)))
            continue;
        judged = r->edits.steps;
        err = run_check(r, &checks[i], &pass, changed);
    }
    /* The findings are those of the last check alone. */
    return err < 0 ? err : tk_judge(&r->judge);
}

/* Runs a step if it is due. *clean: the number of edits when it last ran without making one. */
static int run(struct tk_repair *r, const struct tk_step *step, uint32_t *clean)
{
    uint32_t before = r->edits.steps;
    int err;

    if (!step->run || *clean == before || (step->due && !step->due(r)))
        return 0;
    err = step->run(r, step);
    *clean = r->edits.steps == before ? before : NEVER;
    return err;
}

/* Returns the index of the next step: the one to jump to, or the following. */
static size_t next(const struct tk_repair *r, const struct tk_step *step, size_t at,
                   const uint32_t *began)
{
    bool jumps = step->since != TK_NO_STEP && (!step->due || step->run || step->due(r)) &&
                 r->edits.steps > began[step->since];

    return jumps ? step->to : at + 1;
}

int tk_repair(struct tk_repair *r, bool guard)
{
    const struct tk_step *steps = r->judge.rules->steps;
    uint32_t clean[TK_MAX_STEPS], began[TK_MAX_STEPS];
    uint64_t left;
    int err;

    memset(clean, 0xff, sizeof(clean));
    tk_edits_init(&r->edits, &r->judge);
    r->edits.late = r->judge.cancelled;
    r->edits.late_arg = r->judge.cancel_arg;
    r->plan = (struct tk_plan){.j = &r->judge, .e = &r->edits, .guard = guard};
    err = tk_judge(&r->judge);
    left = round_limit(r);
    for (size_t at = 0; steps[at].name && err == 0 && left > 0; left--) {
        const struct tk_step *step = &steps[at];

        began[at] = r->edits.steps;
        err = run(r, step, &clean[at]);
        at = next(r, step, at, began);
    }
    return err;
}
