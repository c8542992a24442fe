/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fit step, for fit and prepare: reads the checked parameters, fits a history and writes the outcome.
 *
 *     tk_fit_step_read(rq, list, &step);            the list is the history as the step gets it
 *     tk_history_judge_unsealed(rq, &history, &repair.judge);
 *     tk_fit_step_run(rq, &step, &repair);
 *     tk_fit_step_write(w, rq, &step, &repair);
 *
 * The first and the third may answer the request: then they set step.answered.
 */
#ifndef TK_METHODS_PREPARE_FIT_STEP_H
#define TK_METHODS_PREPARE_FIT_STEP_H

#include "engine/repair.h"
#include "methods/core/request.h"
#include "operations/fit/fit.h"

struct tk_fit_step {
    struct tk_fit_options options;
    struct tk_fitted fitted;
    bool answered; /* the request was refused */
};

/* Reads the parameters. Refuses those that contradict each other, the list, or what the provider has. Returns 0 or what
 * tk_answer_end() does. */
int tk_fit_step_read(struct tk_request *rq, struct tk_val list, struct tk_fit_step *ret);

/* Fits the transcript of r->judge in place, with r->edits. Refuses a budget that can't be reached. Afterwards the judge is
 * of no use. Returns 0, -ENOMEM, -ECANCELED or what tk_answer_end() does. */
int tk_fit_step_run(struct tk_request *rq, struct tk_fit_step *step, struct tk_repair *r);

/* Writes the members of a result that tell what was done, into the open map. */
void tk_fit_step_write(struct tk_writer *w, const struct tk_request *rq,
                       const struct tk_fit_step *step, const struct tk_repair *r);

#endif
