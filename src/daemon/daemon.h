/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon as a whole. The main thread accepts connections, serves the control socket, handles
 * signals and runs timers; it never works on a history. Only workers do that.
 *
 *     main socket ── admission ──> a worker's mailbox ──> its connections
 *     control socket ────────────> the main thread's loop
 *     SIGTERM ── drain ──> workers; no connection left: exit
 *     SIGHUP ── reload ──> new settings ──> workers
 *     every second: do all workers answer? ── yes ──> watchdog
 */
#ifndef TK_DAEMON_DAEMON_H
#define TK_DAEMON_DAEMON_H

#include "daemon/state.h"

/* Opens the sockets, makes everything and starts the workers. 0, or negative after a log line. */
int tk_daemon_init(struct tk_daemon *d, const struct tk_overrides *overrides,
                   struct tk_settings *settings);

/* Serves until drained. Returns the process's exit code. */
int tk_daemon_run(struct tk_daemon *d);

/* Frees everything, also of a daemon whose init failed. */
void tk_daemon_done(struct tk_daemon *d);

#endif
