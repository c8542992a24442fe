/* SPDX-License-Identifier: Apache-2.0 */
#include "net/listener.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/log.h"

/* Connections accepted in one turn. */
#define ACCEPT_BATCH 64
#define PAUSE_MS     100

/* Accepts one connection. 0, or the positive errno of accept4(). */
static int accept_one(struct tk_listener *l)
{
    struct tk_peer peer = {.accepted = tk_now()};
    struct ucred who;
    socklen_t size = sizeof(who);

    do
        peer.fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (peer.fd < 0 && errno == EINTR);
    if (peer.fd < 0)
        return errno;
    if (getsockopt(peer.fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) {
        (void)close(peer.fd); /* its user is unknown: refuse it */
        return 0;
    }
    peer.uid = who.uid;
    peer.gid = who.gid;
    l->accepted(l->arg, &peer);
    return 0;
}

static void pause_accepting(struct tk_listener *l, int error)
{
    static const struct timeval pause = {0, PAUSE_MS * 1000};
    static struct tk_log_rate rate;
    uint64_t dropped;

    tk_count(l->counters, accept_pauses, 1);
    if (event_add(&l->resume, &pause) == 0) /* else nothing would end the pause */
        (void)event_del(&l->readable);
    if (tk_log_rate_pass(&rate, tk_now(), &dropped))
        tk_log(TK_LOG_WARNING, "accept_paused", "ms=%d error=\"%s\" more=%llu", PAUSE_MS,
               strerror(error), (unsigned long long)dropped);
}

static void on_readable(evutil_socket_t fd, short what, void *arg)
{
    struct tk_listener *l = arg;
    int r = 0;

    (void)fd;
    (void)what;
    for (int i = 0; i < ACCEPT_BATCH && r == 0; i++)
        r = accept_one(l);
    if (r != 0 && r != EAGAIN && r != EWOULDBLOCK && r != ECONNABORTED)
        pause_accepting(l, r);
}

static void on_resume(evutil_socket_t fd, short what, void *arg)
{
    struct tk_listener *l = arg;

    (void)fd;
    (void)what;
    if (event_add(&l->readable, NULL) != 0)
        pause_accepting(l, ENOMEM);
}

int tk_listener_start(struct tk_listener *l, struct event_base *base)
{
    (void)event_assign(&l->readable, base, l->fd, EV_READ | EV_PERSIST, on_readable, l);
    (void)event_assign(&l->resume, base, -1, 0, on_resume, l);
    return event_add(&l->readable, NULL) == 0 ? 0 : -ENOMEM;
}

void tk_listener_accept_all(struct tk_listener *l)
{
    while (accept_one(l) == 0)
        continue;
}

void tk_listener_stop(struct tk_listener *l)
{
    if (!event_initialized(&l->readable))
        return;
    (void)event_del(&l->readable);
    (void)event_del(&l->resume);
}
