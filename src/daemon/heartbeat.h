/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Heartbeats. Every second each worker is asked for one. The service manager's watchdog is notified
 * only if all workers answered, so it notices a worker that hangs.
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
