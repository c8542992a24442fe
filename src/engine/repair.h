/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair: judges, plans and edits, and judges again until a round makes no edit (RULES.md section
 * 6). Errors that remain are those that no allowed edit fixes.
 */
#ifndef TK_ENGINE_REPAIR_H
#define TK_ENGINE_REPAIR_H

#include "engine/plan.h"

struct tk_repair {
    struct tk_judge judge; /* for the transcript being repaired */
    struct tk_edits edits;
    struct tk_plan plan;
    /* set by the caller: it makes the changes of the request together with the edits, so the
     * outcome is judged with both */
    bool changes_request;
};

/*
 * Repairs the transcript of r->judge, which is initialised, in place. guard: see struct tk_plan.
 * Returns 0, -ENOMEM or -ECANCELED. After 0, judge.findings contains the errors that remain, and
 * `edits` the edits made.
 *
 * The provider's steps run in order. A step is skipped if it isn't due, or if it made no edit in
 * its last run and nothing was edited since. A step may send the repair back to an earlier step.
 */
int tk_repair(struct tk_repair *r, bool guard);

/* ---- for steps ---- */

/* Returns true if a finding has a fix of that stage, or an edit has emptied a message. */
bool tk_repair_has_work(const struct tk_repair *r, uint8_t stage);

/* Returns true if the last judging found an error. */
bool tk_repair_has_errors(const struct tk_repair *r);

/* The three ways of making the edits of a stage (struct tk_pass). Each judges again if it edited anything,
 * and returns 0, -ENOMEM or -ECANCELED. */

/* All checks are judged, then all fixes of the step's stage made. */
int tk_repair_round(struct tk_repair *r, const struct tk_step *step);

/* Each check is judged and fixed in turn, in the order of the provider's table, so that a rule sees what
 * the rules before it did. Each check is then one rule. */
int tk_repair_one_by_one(struct tk_repair *r, const struct tk_step *step);

/* The edits that all() makes, as a round. */
int tk_repair_own(struct tk_repair *r, const struct tk_step *step, int (*all)(struct tk_plan *p));

#endif
