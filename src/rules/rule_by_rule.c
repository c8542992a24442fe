/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/rule_by_rule.h"

#include <errno.h>

bool tk_has_errors(const struct tk_repair *r)
{
    return r->judge.findings.errors > 0;
}

/* Finds the faults of one check and fixes them. changed: there were edits since the judge began. */
static int run_check(struct tk_repair *r, const struct tk_check *check, uint8_t stage, bool changed)
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
    return err == 0 && j->findings.errors > 0 ? tk_plan_found(&r->plan, stage) : err;
}

int tk_rule_by_rule(struct tk_repair *r, const struct tk_step *step)
{
    const struct tk_check *checks = r->judge.provider->checks;
    uint64_t found = r->judge.found;
    uint32_t before = r->edits.steps, judged = before;
    int err = 0;

    for (size_t i = 0; checks[i].name && err == 0; i++) {
        bool changed = r->edits.steps != judged;

        /* Before the first edit, only checks that found something have something to fix. */
        if (r->edits.steps == before && !(found & tk_check_bit(i)))
            continue;
        judged = r->edits.steps;
        err = run_check(r, &checks[i], step->stage, changed);
    }
    return err < 0 ? err : tk_judge(&r->judge);
}
