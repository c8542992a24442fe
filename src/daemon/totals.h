/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters of all threads, added up on request: what `stats` and the metrics for Prometheus
 * show. A number may be a few requests older than its neighbour, since threads go on counting.
 */
#ifndef TK_DAEMON_TOTALS_H
#define TK_DAEMON_TOTALS_H

#include "daemon/state.h"

enum tk_total {
    TK_TOTAL_PLAIN,         /* i: enum tk_counter */
    TK_TOTAL_LIMIT,         /* i: enum tk_limit; hits */
    TK_TOTAL_VIOLATION,     /* i: number of a code */
    TK_TOTAL_EDIT,          /* i: number of an action */
    TK_TOTAL_MISS,          /* i: number of the rule that a refusal belongs to */
    TK_TOTAL_OUTCOME,       /* i: enum tk_outcome */
    TK_TOTAL_REQUESTS,      /* i: number of a method; one more for "no method found" */
    TK_TOTAL_ERROR,         /* i: as above; j: enum tk_error_id */
    TK_TOTAL_LATENCY_COUNT, /* i: as above */
    TK_TOTAL_LATENCY_SUM,   /* i: as above; microseconds */
    TK_TOTAL_BUCKET,        /* i: as above; j: number of a bucket; not cumulative */
};

/* Returns one number, added up over all threads. Any thread. */
uint64_t tk_total(const struct tk_daemon *d, enum tk_total what, size_t i, size_t j);

#endif
