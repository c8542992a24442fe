/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/repair.h"

#include <errno.h>

#include "rules/aftermath.h"
#include "rules/protect.h"

static bool has_emptied(const struct tk_transcript *t)
{
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        if (t->messages[m].flags & TK_MESSAGE_EMPTIED)
            return true;
    return false;
}

/* Rounds end when there is nothing to mend, or nothing that may be mended. */
static int rounds(struct tk_repair *r, struct tk_transcript *t)
{
    /* Every round removes a violation; the bound only guards against a defect of ours. */
    uint32_t limit = t->input_parts + t->input_messages + 2;

    for (uint32_t round = 0; round < limit; round++) {
        uint32_t before = r->edits.steps;
        int err = tk_judge(&r->judge);

        if (err < 0)
            return err;
        if (round == 0)
            tk_protect(t);
        if (r->judge.findings.errors == 0 && !has_emptied(t))
            return 0;
        if (r->judge.cancelled && r->judge.cancelled(r->judge.cancel_arg))
            return -ECANCELED;
        err = tk_plan_round(&r->plan);
        if (err < 0 || r->edits.steps == before)
            return err;
    }
    return tk_judge(&r->judge);
}

int tk_repair(struct tk_repair *r, struct tk_transcript *t, bool guard)
{
    bool merged = false;
    int err;

    tk_edits_init(&r->edits, t, &r->judge.pairing);
    r->plan = (struct tk_plan){.j = &r->judge, .e = &r->edits, .guard = guard};
    err = rounds(r, t);
    if (err == 0)
        err = tk_mend_citations(&r->edits);
    if (err == 0)
        err = tk_merge_neighbours(&r->edits, r->judge.policy, &merged);
    if (err == 0 && merged)
        err = tk_judge(&r->judge);
    return err;
}
