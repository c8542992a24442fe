/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The daemon as a whole. The main thread accepts, serves the control socket, takes signals and
 * keeps time; it never works on a history. Workers do that, and nothing else.
 *
 *     main socket ── admission ──> a worker's mailbox ──> its connections
 *     control socket ────────────> the main thread's lane
 *     SIGTERM ── drain ──> workers; the last connection gone: the end
 *     SIGHUP ── reload ──> new settings ──> workers
 *     every second: are the workers there? ── yes ──> watchdog
 */
#ifndef TK_DAEMON_DAEMON_H
#define TK_DAEMON_DAEMON_H

#include <pthread.h>
#include <signal.h>

#include "daemon/config.h"
#include "net/listener.h"
#include "net/socket.h"
#include "net/worker.h"

enum tk_phase {
    TK_PHASE_RUNNING,
    TK_PHASE_DRAINING,
};

struct tk_daemon {
    const struct tk_overrides *overrides; /* the command line */
    struct tk_settings *settings;         /* see tk_daemon_settings() */
    pthread_mutex_t settings_lock;
    int64_t started;
    enum tk_phase phase; /* written by the main thread, read by all, atomically */
    int exit_code;

    struct tk_host host;
    struct tk_worker **workers;
    size_t worker_count;
    struct tk_census *census;
    struct tk_inflight inflight;

    struct tk_lane control; /* the main thread's own */
    struct tk_census *control_census;
    struct tk_inflight control_inflight;

    struct tk_socket main_socket, control_socket;
    struct tk_listener main_listener, control_listener;

    int signal_fd, wake_fd;
    struct event signals, wake, tick, drain_end;
    size_t drained;   /* workers without a connection in a drain; atomic */
    int64_t watchdog; /* between two signs of life, 0: nobody waits for any */
    int64_t next_status;
};

/* Makes everything and starts the workers. 0, or negative after a line in the log. */
int tk_daemon_init(struct tk_daemon *d, const struct tk_overrides *overrides,
                   struct tk_settings *settings);

/* Serves until drained. Returns the process's exit code. */
int tk_daemon_run(struct tk_daemon *d);

/* Frees everything, half-made daemons too. */
void tk_daemon_done(struct tk_daemon *d);

/* The present settings with a reference. Any thread. */
struct tk_settings *tk_daemon_settings(struct tk_daemon *d);

/* Makes new settings the present ones, for the process and all its threads. Takes the reference. */
void tk_daemon_set_settings(struct tk_daemon *d, struct tk_settings *settings);

enum tk_phase tk_daemon_phase(const struct tk_daemon *d);

/* Who gets in: a connection of the main socket (arg: the daemon). */
void tk_admit(void *arg, const struct tk_peer *peer);

/* Answers `busy` and closes. */
void tk_turn_away(struct tk_daemon *d, const struct tk_peer *peer, int64_t limit);

/* The control socket, control.c. */
int tk_control_init(struct tk_daemon *d, const uint64_t *hash_key);
void tk_control_set_settings(struct tk_daemon *d, const struct tk_settings *settings);
void tk_control_done(struct tk_daemon *d);

/* Signals and the end, drain.c. What comes before tk_signals_init() waits for it once blocked. */
void tk_signals_block(sigset_t *ret_set);
int tk_signals_init(struct tk_daemon *d);
void tk_signals_done(struct tk_daemon *d);
void tk_drain_worker_done(void *arg); /* on a worker's thread */

/* SIGHUP, reload.c. */
void tk_reload(struct tk_daemon *d);

/* Signs of life, heartbeat.c. */
int tk_heartbeat_init(struct tk_daemon *d);
void tk_heartbeat_done(struct tk_daemon *d);
/* The longest a worker has left a question open, or took for the last one. */
int64_t tk_heartbeat_lag(const struct tk_daemon *d);

/* What struct tk_host asks for; arg: the daemon. Any thread. */
void tk_health(void *arg, struct tk_writer *w);
void tk_stats(void *arg, struct tk_writer *w);
void tk_info_limits(void *arg, struct tk_writer *w);

/* Requests answered by all threads. */
uint64_t tk_metrics_total(const struct tk_daemon *d, enum tk_counter counter);

#endif
