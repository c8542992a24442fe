/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of the daemon, in one struct that every file of this folder knows. It belongs to the
 * main thread, except what its comments give to others.
 */
#ifndef TK_DAEMON_STATE_H
#define TK_DAEMON_STATE_H

#include <pthread.h>

#include "daemon/config.h"
#include "net/listener.h"
#include "net/socket.h"
#include "net/worker.h"

struct tk_http;

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
    struct tk_peers *peers;
    struct tk_inflight inflight;
    struct tk_slots slots; /* for long requests */

    struct tk_loop control; /* serves the control socket on the main thread */
    struct tk_peers *control_peers;
    struct tk_inflight control_inflight;

    struct tk_http *http; /* serves HTTP for monitoring on the main thread; NULL: it is off */

    struct tk_socket main_socket, control_socket;
    struct tk_socket http_socket; /* its descriptor goes to `http`; a file stays here */
    struct tk_listener main_listener, control_listener;

    int signal_fd, wake_fd;
    struct event signals, wake, tick, drain_end;
    size_t drained;   /* workers without a connection in a drain; atomic */
    int64_t watchdog; /* the service manager's timeout in ns; 0: it has none */
    int64_t next_status;
};

/* Returns the present settings with a reference. Any thread. */
struct tk_settings *tk_daemon_settings(struct tk_daemon *d);

/*
 * Makes `settings` the present ones, for the main thread and all workers. Takes over the caller's
 * reference. 0; or -ENOMEM, and then nothing has changed and the reference stays the caller's. Main
 * thread only.
 */
int tk_daemon_set_settings(struct tk_daemon *d, struct tk_settings *settings);

/* Returns whether the daemon serves or drains. Any thread. */
enum tk_phase tk_daemon_phase(const struct tk_daemon *d);

#endif
