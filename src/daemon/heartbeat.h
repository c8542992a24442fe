/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signs of life. Every second each worker is asked for one; the service manager's watchdog gets
 * its own only when all of them had answered, so a worker that hangs is seen.
 */
#ifndef TK_DAEMON_HEARTBEAT_H
#define TK_DAEMON_HEARTBEAT_H

#include "daemon/state.h"

/* Starts the tick. 0 or -ENOMEM. */
int tk_heartbeat_init(struct tk_daemon *d);
void tk_heartbeat_done(struct tk_daemon *d);

/* Returns the worst lag of a worker in nanoseconds: see tk_worker_lag(). Any thread. */
int64_t tk_heartbeat_lag(const struct tk_daemon *d);

#endif
