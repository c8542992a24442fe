/* SPDX-License-Identifier: Apache-2.0 */
#include "net/connections.h"

#include "net/connection.h"

/* After this much work the sockets are polled: somebody who has credit may have asked meanwhile. */
#define POLL_AFTER (100 * TK_MICROSECOND)

/* Lets connections work whose turn it is. */
static void on_resume(evutil_socket_t fd, short what, void *arg)
{
    struct tk_loop *loop = arg;
    int64_t end = loop->worked + POLL_AFTER;
    struct tk_turn_member *turn;

    (void)fd;
    (void)what;
    do {
        turn = tk_turns_next(&loop->turns);
        if (turn)
            tk_connection_resume(turn->owner);
    } while (turn && loop->worked < end);
    tk_loop_schedule(loop);
}

void tk_connections_init(struct tk_loop *loop)
{
    (void)event_assign(&loop->resume, loop->base, -1, 0, on_resume, loop);
}

void tk_connections_done(struct tk_loop *loop)
{
    struct tk_connection *c;

    loop->draining = false; /* so that the last one isn't reported to `empty` */
    while ((c = TAILQ_FIRST(&loop->all)) != NULL)
        tk_connection_free(c);
    if (event_initialized(&loop->resume))
        (void)event_del(&loop->resume);
}

/* Calls f for each connection; f may free its own. */
static void for_each(struct tk_loop *loop, void (*f)(struct tk_connection *c))
{
    struct tk_connection *c = TAILQ_FIRST(&loop->all);

    while (c) {
        struct tk_connection *next = tk_connection_next(c);

        f(c);
        c = next;
    }
}

void tk_connections_set_settings(struct tk_loop *loop, struct tk_settings *settings)
{
    tk_loop_set_settings(loop, settings);
    for_each(loop, tk_connection_new_settings);
}

void tk_connections_unpark(struct tk_loop *loop)
{
    struct tk_connection *c;

    /* The slot that was granted may have been used already, by a connection that wasn't parked. */
    if (TAILQ_EMPTY(&loop->parked) || tk_slots_waits(loop->slots, &loop->slot))
        return;
    while ((c = TAILQ_FIRST(&loop->parked)) != NULL)
        tk_connection_unpark(c);
}

void tk_connections_mend(struct tk_loop *loop)
{
    if (!loop->damaged)
        return;
    loop->damaged = false;
    tk_loop_schedule(loop);
    for_each(loop, tk_connection_mend);
}

void tk_connections_drain(struct tk_loop *loop)
{
    loop->draining = true;
    for_each(loop, tk_connection_drain);
    if (TAILQ_EMPTY(&loop->all) && loop->empty)
        loop->empty(loop->empty_arg);
}
