/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: judge, plan, judge again, until a round makes no edit (RULES.md section 6). Then what
 * is left of errors is left because no allowed edit mends it.
 */
#ifndef TK_RULES_REPAIR_H
#define TK_RULES_REPAIR_H

#include "rules/plan.h"

struct tk_repair {
    struct tk_judge judge; /* of the repaired transcript */
    struct tk_edits edits;
    struct tk_plan plan;
    struct tk_seals received; /* the groups and verdicts of the input */
};

/*
 * Repairs the transcript in place. guard: see struct tk_plan. Returns 0, -ENOMEM or -ECANCELED.
 * Then judge.findings.errors tells what remains, edits what was done.
 */
int tk_repair(struct tk_repair *r, struct tk_transcript *t, bool guard);

#endif
