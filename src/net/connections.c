/* SPDX-License-Identifier: Apache-2.0 */
#include "net/connections.h"

#include "net/connection.h"

/* One turn for each connection that waits for it; those that yield again wait for the next. */
static void on_resume(evutil_socket_t fd, short what, void *arg)
{
    struct tk_loop *loop = arg;
    struct tk_connection *c, *last = TAILQ_LAST(&loop->yielded, tk_connections);

    (void)fd;
    (void)what;
    do {
        c = TAILQ_FIRST(&loop->yielded);
        if (c)
            tk_connection_resume(c);
    } while (c && c != last);
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

void tk_connections_mend(struct tk_loop *loop)
{
    static const struct timeval now = {0, 0};

    if (!loop->damaged)
        return;
    loop->damaged = false;
    if (!TAILQ_EMPTY(&loop->yielded) && !evtimer_pending(&loop->resume, NULL) &&
        evtimer_add(&loop->resume, &now) != 0)
        loop->damaged = true;
    for_each(loop, tk_connection_mend);
}

void tk_connections_drain(struct tk_loop *loop)
{
    loop->draining = true;
    for_each(loop, tk_connection_drain);
    if (TAILQ_EMPTY(&loop->all) && loop->empty)
        loop->empty(loop->empty_arg);
}
