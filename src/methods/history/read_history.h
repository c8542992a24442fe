/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a judge of checked parameters, for validate, repair, repair_turn and prepare. */
#ifndef TK_METHODS_HISTORY_READ_HISTORY_H
#define TK_METHODS_HISTORY_READ_HISTORY_H

#include "methods/core/request.h"
#include "providers/anthropic/state.h"
#include "rules/judge.h"

struct tk_judging {
    struct tk_policy policy;
    struct tk_transcript transcript;
    struct tk_request_view request;
    struct tk_seals seals;
    struct tk_known_betas betas;
    bool answered; /* the parameters were refused */
};

/* Reads the request's messages (or content) and seals. Returns 0 or -ENOMEM; where `answered` is
 * set, there is nothing left to do. */
int tk_judging_read(struct tk_request *rq, struct tk_judging *ret);

/* Does the same for the history of a request whose rest was read, whatever was sent. */
int tk_judging_read_history(struct tk_request *rq, const struct tk_request_view *request,
                            struct tk_val messages, struct tk_judging *ret);

/* Makes a judge of it that gives up when the request's time is over. Returns 0 or -ENOMEM. */
int tk_judging_init(struct tk_request *rq, struct tk_judging *judging, struct tk_judge *ret);

/* Counts what was found and edited for `stats`; by_action may be NULL. Returns 0 or -ENOMEM. */
int tk_judging_tally(struct tk_request *rq, const struct tk_findings *findings,
                     const uint32_t *by_action);

/* Returns how many findings the request wants listed. */
uint32_t tk_max_violations(const struct tk_request *rq);

#endif
