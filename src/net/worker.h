/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: a thread with an event loop. A connection stays with one worker. Other threads leave
 * things in its mailbox, under a lock, and wake its loop by an eventfd.
 *
 *     main thread ── connection, settings, drain, stop ──> mailbox ──> worker's loop
 *     main thread ── "are you there?" ──────────────────> eventfd ──> notes when it saw it
 */
#ifndef TK_NET_WORKER_H
#define TK_NET_WORKER_H

#include "net/connection.h"
#include "net/loop.h"

struct tk_worker;

/* `drained` is called on the worker's thread once its last connection is gone in a drain. */
struct tk_worker_options {
    struct tk_loop_options loop;
    void (*drained)(void *arg);
    void *arg;
};

/* Starts a thread. Returns NULL and sets errno on failure. */
struct tk_worker *tk_worker_new(const struct tk_worker_options *options);

/* Ends the thread, waits for it and closes its connections. NULL is allowed. */
void tk_worker_free(struct tk_worker *worker);

/* Gives the worker a connection that tk_peers_add() counted. 0; or -ENOMEM, and then it stays the
 * caller's. */
int tk_worker_connect(struct tk_worker *worker, const struct tk_peer *peer);

/* Makes the worker apply new settings soon. Takes a reference. */
void tk_worker_set_settings(struct tk_worker *worker, struct tk_settings *settings);

/* Drains the worker's connections: see tk_connections_drain(). */
void tk_worker_drain(struct tk_worker *worker);

/* Returns how many connections it has, including those still in its mailbox. */
int64_t tk_worker_load(const struct tk_worker *worker);

struct tk_loop *tk_worker_loop(struct tk_worker *worker);

/* Asks the worker for a heartbeat. Main thread only. */
void tk_worker_beat(struct tk_worker *worker, int64_t now);

/* Returns true if it answered the last tk_worker_beat(). */
bool tk_worker_answered(const struct tk_worker *worker);

/* Returns how long the last heartbeat took, or how long the open one waits, in ns. Any thread. */
int64_t tk_worker_lag(const struct tk_worker *worker, int64_t now);

#endif
