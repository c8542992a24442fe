/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Signals, and how the daemon ends.
 *
 *     RUNNING ── SIGTERM ──> DRAINING ── no connection left ──> exit 0
 *                               ├─── drain_timeout ───────────> exit 1, connections cut off
 *                               └─── SIGTERM again ───────────> exit 1, at once
 *
 * A listening socket that was passed stays open: new clients wait in its backlog for the next
 * process. A socket of our own is closed after its backlog has been accepted.
 */
#ifndef TK_DAEMON_DRAIN_H
#define TK_DAEMON_DRAIN_H

#include <signal.h>

#include "daemon/state.h"

/* Blocks the signals that the daemon handles: they wait for tk_signals_init(). */
void tk_signals_block(sigset_t *ret_set);

/* Starts to handle signals in the main thread's loop. 0 or negative errno. */
int tk_signals_init(struct tk_daemon *d);
void tk_signals_done(struct tk_daemon *d);

/* Sets the timer of drain_timeout if it couldn't be set before, for want of memory. */
void tk_drain_mend(struct tk_daemon *d);

/* Notes that a worker has no connection left in a drain. arg: the daemon. A worker's thread. */
void tk_drain_worker_done(void *arg);

#endif
