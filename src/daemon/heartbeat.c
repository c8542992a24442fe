/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/heartbeat.h"

#include <errno.h>

#include "daemon/drain.h"
#include "daemon/http.h"
#include "daemon/notify.h"
#include "daemon/reserve.h"
#include "daemon/totals.h"
#include "net/connections.h"
#include "net/log.h"

#define STATUS_EVERY (60 * TK_SECOND)

static bool all_answered(const struct tk_daemon *d)
{
    for (size_t i = 0; i < d->worker_count; i++) {
        if (!tk_worker_answered(d->workers[i]))
            return false;
    }
    return true;
}

static void ask_all(struct tk_daemon *d, int64_t now)
{
    for (size_t i = 0; i < d->worker_count; i++)
        tk_worker_beat(d->workers[i], now);
}

static void tell_status(struct tk_daemon *d, int64_t now)
{
    if (now < d->next_status || d->phase != TK_PHASE_RUNNING)
        return;
    d->next_status = now + STATUS_EVERY;
    tk_notify("STATUS=Serving: %lld connections, %llu requests answered.",
              (long long)tk_peers_total(d->peers),
              (unsigned long long)tk_total(d, TK_TOTAL_PLAIN, TK_COUNT_requests, 0));
}

static void on_tick(evutil_socket_t fd, short what, void *arg)
{
    struct tk_daemon *d = arg;
    int64_t now = tk_now();

    (void)fd;
    (void)what;
    if (d->watchdog > 0 && all_answered(d))
        tk_notify("WATCHDOG=1");
    ask_all(d, now);
    tk_connections_mend(&d->control);
    tk_drain_mend(d);
    tk_http_mend(d, tk_reserve_fill());
    tell_status(d, now);
}

int tk_heartbeat_init(struct tk_daemon *d)
{
    int64_t every = TK_SECOND;
    struct timeval tv;

    d->next_status = tk_now() + STATUS_EVERY;
    d->watchdog = tk_notify_watchdog();
    if (d->watchdog > 0 && d->watchdog / 3 < every)
        every = d->watchdog / 3;
    if (d->watchdog > 0 && d->watchdog <= 2 * d->settings->limits.request_timeout)
        tk_log(TK_LOG_WARNING, "watchdog", "problem=\"not more than twice request_timeout\"");
    tv = tk_timeval(every);
    (void)event_assign(&d->tick, d->control.base, -1, EV_PERSIST, on_tick, d);
    if (event_add(&d->tick, &tv) != 0)
        return -ENOMEM;
    ask_all(d, tk_now());
    return 0;
}

void tk_heartbeat_done(struct tk_daemon *d)
{
    if (event_initialized(&d->tick))
        (void)event_del(&d->tick);
}

int64_t tk_heartbeat_lag(const struct tk_daemon *d)
{
    int64_t now = tk_now(), longest = 0;

    for (size_t i = 0; i < d->worker_count; i++) {
        int64_t lag = tk_worker_lag(d->workers[i], now);

        if (lag > longest)
            longest = lag;
    }
    return longest;
}
