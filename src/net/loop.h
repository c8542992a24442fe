/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A loop is what connections need from the thread that they live on: event base, core, settings,
 * scratch memory, counters. Workers have one each; the control socket's is the main thread's. All
 * of it belongs to that thread, but for what is marked as shared.
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

struct tk_connection;
TAILQ_HEAD(tk_connections, tk_connection);

struct tk_loop {
    struct event_base *base;
    tk_core *core;
    struct tk_settings *settings;
    struct tk_peers *peers;       /* shared: has a lock */
    struct tk_inflight *inflight; /* shared: has a lock */
    struct tk_counters counters;  /* written here, read by everybody */
    struct tk_connections all;
    struct tk_connections yielded; /* have complete requests, and had their turn */
    struct event resume;           /* gives the yielded ones their next turn */
    struct event trim;             /* gives memory back that nobody uses */
    struct tk_scratch scratch;     /* what is read, before it belongs to a connection */
    struct tk_buffer stage;        /* small answers of the present turn */
    bool control;                  /* serves only ping, health, stats and info */
    bool draining;                 /* takes nothing new on */
    bool large;                    /* a large frame or answer was here since trim looked */
    size_t freed;                  /* bytes that went back to the C library since then */
    size_t most_freed;             /* the most between two looks since memory was given back */
    int64_t worked;                /* time that turns of connections took, ever */
    void (*empty)(void *arg);      /* the last connection of a draining loop went */
    void *empty_arg;
};

struct tk_loop_options {
    struct tk_settings *settings; /* the loop takes a reference */
    struct tk_peers *peers;
    struct tk_inflight *inflight;
    const struct tk_host *host; /* must outlive the loop */
    const uint64_t *hash_key;   /* two numbers */
    bool control;
};

/* Makes base and core. 0 or -ENOMEM. */
int tk_loop_init(struct tk_loop *loop, const struct tk_loop_options *options);

/* Closes all connections and frees everything. */
void tk_loop_done(struct tk_loop *loop);

/* Follows a reload, living connections too. Takes a reference. */
void tk_loop_set_settings(struct tk_loop *loop, struct tk_settings *settings);

/* After a turn: sees to it that memory is given back to the system once nobody uses it. */
void tk_loop_used(struct tk_loop *loop);

#endif
