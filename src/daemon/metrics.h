/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `stats`: the counters of all threads, added up on request. */
#ifndef TK_DAEMON_METRICS_H
#define TK_DAEMON_METRICS_H

#include "daemon/state.h"

/* Writes the result map of `stats`. arg: the daemon. Any thread. */
void tk_stats(void *arg, struct tk_writer *w);

/* Writes the limits by name, for `info`. arg: the daemon. Any thread. */
void tk_info_limits(void *arg, struct tk_writer *w);

#endif
