/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An event loop, and what its connections share: core, settings, scratch memory, counters. Each
 * worker has one; the main thread has one for the control socket. All of it belongs to that thread,
 * except members marked as shared.
 */
#ifndef TK_NET_LOOP_H
#define TK_NET_LOOP_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "net/counters.h"
#include "net/inflight.h"
#include "net/peers.h"
#include "net/read_buffer.h"
#include "net/settings.h"
#include "net/slots.h"
#include "net/turns.h"

struct tk_connection;
TAILQ_HEAD(tk_connections, tk_connection);

/* The memory that the running request has made so far: it counts in max_inflight_bytes. */
struct tk_run {
    struct tk_share *share; /* of its user; NULL: no request runs */
    int64_t bytes;          /* allocated less freed, since it began */
    size_t charged;
};

struct tk_loop {
    struct event_base *base;
    tk_core *core;
    struct tk_settings *settings;
    struct tk_peers *peers;       /* shared: has a lock */
    struct tk_inflight *inflight; /* shared: has a lock */
    struct tk_counters counters;  /* written by this thread, read by all */
    struct tk_connections all;
    struct tk_turns turns;        /* connections that wait because their user had its turn */
    int64_t polled;               /* libevent's time of the last poll that something came from */
    struct event resume;          /* starts their next turn */
    struct event trim;            /* gives unused memory back to the system */
    struct tk_slots *slots;       /* shared: has a lock; NULL: as many long requests as come */
    struct tk_slot slot;          /* for a long request of this loop */
    struct tk_connections parked; /* have a long request, and no slot for it is free */
    size_t unparked; /* those that were parked and wait for their turn: a slot is granted */
    struct tk_scratch scratch; /* where bytes are received: see read_buffer.h */
    struct tk_run run;
    struct tk_buffer stage;   /* small answers of this turn: see output.h */
    bool control;             /* serves ping, health, stats and info only */
    bool draining;            /* accepts nothing new */
    bool damaged;             /* an event couldn't be added: see tk_connections_mend() */
    bool large;               /* a large frame or answer was kept since the last trim */
    size_t freed;             /* bytes that were freed since then */
    size_t most_freed;        /* the most that `freed` was since memory was given back */
    int64_t worked;           /* total time that turns of connections took */
    void (*empty)(void *arg); /* called when a draining loop has no connection left */
    void *empty_arg;
};

struct tk_loop_options {
    struct tk_settings *settings; /* the loop takes a reference */
    struct tk_peers *peers;
    struct tk_inflight *inflight;
    struct tk_slots *slots;     /* NULL: as many long requests as come */
    const struct tk_host *host; /* must outlive the loop */
    const uint64_t *hash_key;   /* two numbers */
    bool control;
};

/* Makes base and core. 0 or -ENOMEM. */
int tk_loop_init(struct tk_loop *loop, const struct tk_loop_options *options);

/* Frees everything. No connection may be left. */
void tk_loop_done(struct tk_loop *loop);

/* Applies new settings. Takes a reference. Connections: see tk_connections_set_settings(). */
void tk_loop_set_settings(struct tk_loop *loop, struct tk_settings *settings);

/* Schedules the next turn, if a connection waits for one. Sockets are polled before it. */
void tk_loop_schedule(struct tk_loop *loop);

/* Begin and end the request of a user: between them, what the core allocates is charged to the
 * user's share. */
void tk_loop_begin_run(struct tk_loop *loop, struct tk_share *share);
void tk_loop_end_run(struct tk_loop *loop);

/* Schedules a trim if unused memory may be left. Called after each turn. */
void tk_loop_used(struct tk_loop *loop);

#endif
