/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/admission.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "net/frame.h"
#include "net/log.h"

/* `retry_after_ms` sent with `busy`. */
#define RETRY_AFTER_MS 1000
/* The most pieces of a refusal, which is one small document. */
#define PIECES_MAX 15

/* Sends one framed answer without waiting: the socket is new, so its buffer is empty. */
static void send_framed(int fd, const tk_reply *reply)
{
    uint8_t head[TK_FRAME_HEADER];
    struct iovec iov[1 + PIECES_MAX] = {
        {head, tk_framing_length.head(head, tk_reply_size(reply))},
    };
    struct msghdr m = {.msg_iov = iov};
    size_t n;
    const struct iovec *pieces = tk_reply_iov(reply, &n);

    if (n > PIECES_MAX)
        return;
    memcpy(iov + 1, pieces, n * sizeof(*pieces));
    m.msg_iovlen = n + 1;
    (void)sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void tk_turn_away(struct tk_daemon *d, const struct tk_peer *peer, int64_t limit)
{
    char unread[4096];
    tk_reply *reply;

    tk_count(&d->control.counters, connections_refused, 1);
    if (tk_refuse(d->control.core, TK_ERR_BUSY, (uint64_t)limit, RETRY_AFTER_MS, &reply) == 0) {
        send_framed(peer->fd, reply);
        tk_reply_free(reply);
    }
    /* Unread bytes at close() would turn the client's end of file into a reset. */
    (void)recv(peer->fd, unread, sizeof(unread), MSG_DONTWAIT);
    (void)close(peer->fd);
}

static struct tk_worker *least_loaded(const struct tk_daemon *d)
{
    struct tk_worker *best = d->workers[0];

    for (size_t i = 1; i < d->worker_count; i++) {
        if (tk_worker_load(d->workers[i]) < tk_worker_load(best))
            best = d->workers[i];
    }
    return best;
}

static void full(struct tk_daemon *d, const struct tk_peer *peer, enum tk_limit limit)
{
    tk_limit_hit(&d->control.counters, limit, peer->accepted, peer->uid);
    tk_turn_away(d, peer, tk_limit_get(&d->settings->limits, limit));
}

void tk_admit(void *arg, const struct tk_peer *peer)
{
    struct tk_daemon *d = arg;
    const struct tk_limits *l = &d->settings->limits;
    int r;

    if (!tk_peers_allowed(d->settings, peer->fd, peer->uid, peer->gid)) {
        static struct tk_log_rate rate;
        uint64_t dropped;

        tk_count(&d->control.counters, connections_refused, 1);
        if (tk_log_rate_pass(&rate, peer->accepted, &dropped))
            tk_log(TK_LOG_WARNING, "not_allowed", "uid=%u gid=%u more=%llu", peer->uid, peer->gid,
                   (unsigned long long)dropped);
        (void)close(peer->fd);
        return;
    }
    r = tk_peers_add(d->peers, peer->uid, l->max_connections, l->max_connections_per_uid);
    if (r == TK_PEERS_FULL) {
        full(d, peer, TK_LIMIT_max_connections);
    } else if (r == TK_PEERS_UID_FULL) {
        full(d, peer, TK_LIMIT_max_connections_per_uid);
    } else if (r < 0) {
        (void)close(peer->fd);
    } else {
        tk_count(&d->control.counters, connections_accepted, 1);
        (void)tk_worker_connect(least_loaded(d), peer); /* closes it on failure */
    }
}
