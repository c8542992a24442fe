/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: a thread with a loop of its own. Connections are pinned to it for life. Others talk
 * to it through a mailbox: a queue under a lock, and an eventfd that wakes the loop.
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

/* Starts a thread. NULL on failure, errno says why. */
struct tk_worker *tk_worker_new(const struct tk_worker_options *options);

/* Tells the thread to end, waits for it, closes what it still has. NULL is fine. */
void tk_worker_free(struct tk_worker *worker);

/* Hands a connection over; owns the descriptor, and the place in the peers, even on failure. */
int tk_worker_connect(struct tk_worker *worker, const struct tk_peer *peer);

/* 0 or -ENOMEM. */
int tk_worker_set_settings(struct tk_worker *worker, struct tk_settings *settings);

/* Drains the worker's connections: see tk_connections_drain(). */
void tk_worker_drain(struct tk_worker *worker);

/* Connections that it has or is about to have. */
int64_t tk_worker_load(const struct tk_worker *worker);

struct tk_loop *tk_worker_loop(struct tk_worker *worker);

/* Asks for a sign of life. Only the main thread. */
void tk_worker_beat(struct tk_worker *worker, int64_t now);

/* True when the last question was answered. */
bool tk_worker_answered(const struct tk_worker *worker);

/* How long the last answer took, or the present one is overdue. Any thread. */
int64_t tk_worker_lag(const struct tk_worker *worker, int64_t now);

#endif
