/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Accepts the connections of one listening socket and asks the kernel for the peer's user. The
 * owner decides who is admitted. If descriptors or memory run out, accepting pauses for a moment:
 * the listening socket stays readable, so trying again at once would spin.
 */
#ifndef TK_NET_LISTENER_H
#define TK_NET_LISTENER_H

#include <event2/event.h>
#include <event2/event_struct.h>

#include "net/counters.h"
#include "net/peers.h"

struct tk_listener {
    struct event readable, resume;
    int fd; /* not owned */
    struct tk_counters *counters;
    /* Called for each connection; owns peer->fd. */
    void (*accepted)(void *arg, const struct tk_peer *peer);
    void *arg;
};

/* fd, counters, accepted and arg are set by the caller. 0 or -ENOMEM. */
int tk_listener_start(struct tk_listener *l, struct event_base *base);

/* Accepts all connections of the backlog, without pausing. */
void tk_listener_accept_all(struct tk_listener *l);

/* Stops accepting. May be called twice, and for a zeroed struct. */
void tk_listener_stop(struct tk_listener *l);

#endif
