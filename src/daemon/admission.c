/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/admission.h"

#include <unistd.h>

#include "net/log.h"
#include "net/turn_away.h"

void tk_refuse_peer(struct tk_daemon *d, const struct tk_peer *peer, int64_t limit)
{
    tk_count(&d->control.counters, connections_refused, 1);
    tk_turn_away(d->control.core, peer->fd, limit);
}

void tk_refuse_for_memory(struct tk_daemon *d, const struct tk_peer *peer)
{
    static struct tk_log_rate rate;
    uint64_t dropped;

    if (tk_log_rate_pass(&rate, peer->accepted, &dropped))
        tk_log(TK_LOG_WARNING, "connection_refused", "reason=memory uid=%u more=%llu", peer->uid,
               (unsigned long long)dropped);
    tk_refuse_peer(d, peer, 0);
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
    tk_refuse_peer(d, peer, tk_limit_get(&d->settings->limits, limit));
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
        tk_refuse_for_memory(d, peer);
    } else if (tk_worker_connect(least_loaded(d), peer) < 0) {
        tk_peers_remove(d->peers, peer->uid);
        tk_refuse_for_memory(d, peer);
    } else {
        tk_count(&d->control.counters, connections_accepted, 1);
    }
}
