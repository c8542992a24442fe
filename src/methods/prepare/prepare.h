/* SPDX-License-Identifier: Apache-2.0 */
/* Results of the steps of prepare. prepare.c runs the steps, prepare_answer.c writes the answer. */
#ifndef TK_METHODS_PREPARE_PREPARE_H
#define TK_METHODS_PREPARE_PREPARE_H

#include "engine/repair.h"
#include "methods/history/read_history.h"
#include "methods/prepare/fit_step.h"
#include "methods/prepare/tools_step.h"
#include "operations/body.h"

struct tk_prepare {
    struct tk_request *rq;
    const struct tk_provider *provider; /* whose rules the history must obey */
    struct tk_val sent;                 /* the body as received */
    struct tk_rewrite made, fitted;     /* how splice and tools changed it, then fit, if they did */
    const struct tk_rewrite *maker;     /* the last one of them that did; NULL: none */
    struct tk_val body, messages;   /* as these steps made them; edits[].pointer refers to these */
    struct tk_request_view request; /* of that body */
    bool splices;                   /* the caller asked for the step splice */
    struct tk_spliced spliced;
    struct tk_tools_step tools;
    bool fits; /* the caller asked for the step fit */
    struct tk_fit_step fit;
    struct tk_history_input unfitted;
    struct tk_repair fitting; /* its judge and its edits are those of fit */
    struct tk_history_input history;
    struct tk_repair repair;
};

/* Returns the changes that splice, and tools if it was run, make in the body as sent. */
struct tk_body_input tk_prepare_changes(const struct tk_prepare *p, const struct tk_tools *tools);

/* Answer after all steps, or after splice if nothing is to be sent. Return what
 * tk_answer_end() does. */
int tk_answer_prepared(struct tk_prepare *p);
int tk_answer_stopped(struct tk_prepare *p);

#endif
