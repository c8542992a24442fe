/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A lane is what connections need from the thread that they live on: event base, core, settings,
 * scratch memory, counters. Workers have one each; the control socket's is the main thread's. All
 * of it belongs to that thread, but for what is marked as shared.
 */
#ifndef TK_NET_LANE_H
#define TK_NET_LANE_H

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdbool.h>
#include <sys/queue.h>

#include "net/census.h"
#include "net/counters.h"
#include "net/inflight.h"
#include "net/intake.h"
#include "net/settings.h"

struct tk_connection;
TAILQ_HEAD(tk_connections, tk_connection);

struct tk_lane {
    struct event_base *base;
    tk_core *core;
    struct tk_settings *settings;
    struct tk_census *census;     /* shared: has a lock */
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
    void (*empty)(void *arg);      /* the last connection of a draining lane went */
    void *empty_arg;
};

struct tk_lane_options {
    struct tk_settings *settings; /* the lane takes a reference */
    struct tk_census *census;
    struct tk_inflight *inflight;
    const struct tk_host *host; /* must outlive the lane */
    const uint64_t *hash_key;   /* two numbers */
    bool control;
};

/* Makes base and core. 0 or -ENOMEM. */
int tk_lane_init(struct tk_lane *lane, const struct tk_lane_options *options);

/* Closes all connections and frees everything. */
void tk_lane_done(struct tk_lane *lane);

/* Follows a reload, living connections too. Takes a reference. */
void tk_lane_set_settings(struct tk_lane *lane, struct tk_settings *settings);

/* Answers what was read, takes nothing new on; `empty` is called when no connection is left. */
void tk_lane_drain(struct tk_lane *lane);

/* After a turn: sees to it that memory is given back to the system once nobody uses it. */
void tk_lane_used(struct tk_lane *lane);

/* True for peers that the settings' allow-lists let in; fd serves to ask for their groups. */
bool tk_lane_allows(const struct tk_settings *settings, int fd, uid_t uid, gid_t gid);

#endif
