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
};

/*
 * Repairs the transcript of r->judge, which was initialised, in place. guard: see struct tk_plan.
 * Returns 0, -ENOMEM or -ECANCELED. Then judge.findings.errors tells what remains, edits what was
 * done.
 *
 * The provider's steps run one after the other. A step that isn't due is passed over, and so is one
 * that made no edit the last time if nothing was edited since. A step may send the repair back to
 * an earlier one.
 */
int tk_repair(struct tk_repair *r, bool guard);

/* ---- for steps ---- */

/* True if a finding has a fix of that stage, or an edit has emptied a message. */
bool tk_repair_has_work(const struct tk_repair *r, uint8_t stage);

/* One round of the fixes of the step's stage, or of `all`; judges again if that edited anything.
 * Both return 0, -ENOMEM or -ECANCELED. */
int tk_repair_round(struct tk_repair *r, const struct tk_step *step);
int tk_repair_own(struct tk_repair *r, const struct tk_step *step, int (*all)(struct tk_plan *p));

#endif
