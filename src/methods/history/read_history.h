/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a judge of checked parameters, for validate, repair, repair_turn and prepare. */
#ifndef TK_METHODS_HISTORY_READ_HISTORY_H
#define TK_METHODS_HISTORY_READ_HISTORY_H

#include "engine/edit/edit.h"
#include "engine/judge.h"
#include "methods/core/request.h"
#include "methods/params/policy.h"
#include "providers/betas.h"

struct tk_history_input {
    struct tk_params_policy policy;
    struct tk_transcript transcript;
    struct tk_request_view request;
    struct tk_known_betas betas; /* of the header and of the body */
    bool answered;               /* the parameters were refused */
};

/* Reads the request's messages, or its content. Returns 0 or -ENOMEM; if `answered` is set, nothing
 * is left to do. */
int tk_history_read(struct tk_request *rq, struct tk_history_input *ret);

/* Reads a list of messages that an operation made, next to a view of the body that is already
 * read. Otherwise like tk_history_read(). */
int tk_history_read_list(struct tk_request *rq, const struct tk_request_view *request,
                         struct tk_val messages, struct tk_history_input *ret);

/* Reads where the request goes. The model is the body's own if the parameter names none. Returns 0 or
 * -ENOMEM. */
int tk_read_target(const struct tk_request *rq, const struct tk_request_view *request,
                   struct tk_target *ret);

/* Makes a judge of what was read, which gives up when the request's time is over, and reads the
 * seals for it. Returns 0, -ENOMEM or -ECANCELED; if `answered` is set, nothing is left to do. */
int tk_history_judge(struct tk_request *rq, struct tk_history_input *history, struct tk_judge *ret);

/* Makes a judge in the same way, but doesn't read the seals. Returns 0 or -ENOMEM. */
int tk_history_judge_unsealed(struct tk_request *rq, struct tk_history_input *history,
                              struct tk_judge *ret);

/* Counts findings, edits and the outcome for `stats` and the log. edits: NULL if they weren't made.
 * Returns 0 or -ENOMEM. */
int tk_history_tally(struct tk_request *rq, const struct tk_findings *findings,
                     const struct tk_edits *edits);

/* Returns how many findings the request wants listed. */
uint32_t tk_max_violations(const struct tk_request *rq);

#endif
