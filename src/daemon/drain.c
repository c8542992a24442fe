/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/drain.h"

#include <errno.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "daemon/notify.h"
#include "daemon/reload.h"
#include "daemon/totals.h"
#include "net/log.h"

/* Exits at once: workers may be in the middle of anything, so only the socket files are removed. */
static void end_now(struct tk_daemon *d, const char *reason)
{
    tk_log(TK_LOG_WARNING, "cut_off", "reason=%s connections=%lld", reason,
           (long long)tk_peers_total(d->peers));
    tk_socket_unlink(&d->main_socket);
    tk_socket_unlink(&d->control_socket);
    tk_socket_unlink(&d->http_socket);
    _exit(1);
}

static void on_drain_end(evutil_socket_t fd, short what, void *arg)
{
    struct tk_daemon *d = arg;

    (void)fd;
    (void)what;
    tk_counter_add(&d->control.counters.limits[TK_LIMIT_drain_timeout], 1);
    end_now(d, "drain_timeout");
}

static void close_door(struct tk_daemon *d)
{
    if (d->main_socket.bound) {
        tk_socket_unlink(&d->main_socket);
        tk_listener_accept_all(&d->main_listener);
    }
    tk_listener_stop(&d->main_listener);
}

static void limit_drain(struct tk_daemon *d)
{
    struct timeval end = tk_timeval(d->settings->limits.drain_timeout);

    (void)event_add(&d->drain_end, &end); /* a failure is mended within a second */
}

void tk_drain_mend(struct tk_daemon *d)
{
    if (d->phase == TK_PHASE_DRAINING && !event_pending(&d->drain_end, EV_TIMEOUT, NULL))
        limit_drain(d);
}

static void drain(struct tk_daemon *d)
{
    tk_log(TK_LOG_NOTICE, "drain", "connections=%lld", (long long)tk_peers_total(d->peers));
    tk_notify("STOPPING=1\nSTATUS=Draining: answering what was asked, taking nothing new.");
    __atomic_store_n(&d->phase, TK_PHASE_DRAINING, __ATOMIC_RELAXED);
    close_door(d);
    limit_drain(d);
    for (size_t i = 0; i < d->worker_count; i++)
        tk_worker_drain(d->workers[i]);
}

static void on_terminate(struct tk_daemon *d)
{
    if (d->phase == TK_PHASE_DRAINING)
        end_now(d, "second_signal");
    drain(d);
}

void tk_drain_worker_done(void *arg)
{
    static const uint64_t one = 1;
    struct tk_daemon *d = arg;

    __atomic_add_fetch(&d->drained, 1, __ATOMIC_RELEASE);
    if (write(d->wake_fd, &one, sizeof(one)) < 0)
        return; /* the counter is full, so the main thread wakes anyway */
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
    struct tk_daemon *d = arg;
    uint64_t count;

    (void)what;
    if (read(fd, &count, sizeof(count)) < 0)
        return;
    if (__atomic_load_n(&d->drained, __ATOMIC_ACQUIRE) < d->worker_count)
        return;
    tk_log(TK_LOG_NOTICE, "drained", "requests=%llu",
           (unsigned long long)tk_total(d, TK_TOTAL_PLAIN, TK_COUNT_requests, 0));
    (void)event_base_loopbreak(d->control.base);
}

static const struct {
    int number;
    void (*handle)(struct tk_daemon *d);
} signals[] = {
    {SIGTERM, on_terminate},
    {SIGINT, on_terminate},
    {SIGHUP, tk_reload},
};

static void on_signal(evutil_socket_t fd, short what, void *arg)
{
    struct signalfd_siginfo info;

    (void)what;
    while (read(fd, &info, sizeof(info)) == (ssize_t)sizeof(info)) {
        for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
            if (signals[i].number == (int)info.ssi_signo)
                signals[i].handle(arg);
        }
    }
}

void tk_signals_block(sigset_t *ret_set)
{
    (void)sigemptyset(ret_set);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        (void)sigaddset(ret_set, signals[i].number);
    (void)sigprocmask(SIG_BLOCK, ret_set, NULL);
}

int tk_signals_init(struct tk_daemon *d)
{
    struct event_base *base = d->control.base;
    sigset_t set;

    tk_signals_block(&set);
    d->signal_fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
    d->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (d->signal_fd < 0 || d->wake_fd < 0)
        return -errno;
    (void)event_assign(&d->signals, base, d->signal_fd, EV_READ | EV_PERSIST, on_signal, d);
    (void)event_assign(&d->wake, base, d->wake_fd, EV_READ | EV_PERSIST, on_wake, d);
    (void)event_assign(&d->drain_end, base, -1, 0, on_drain_end, d);
    return event_add(&d->signals, NULL) == 0 && event_add(&d->wake, NULL) == 0 ? 0 : -ENOMEM;
}

void tk_signals_done(struct tk_daemon *d)
{
    struct event *events[] = {&d->signals, &d->wake, &d->drain_end};

    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        if (event_initialized(events[i]))
            (void)event_del(events[i]);
    }
    if (d->signal_fd >= 0)
        (void)close(d->signal_fd);
    if (d->wake_fd >= 0)
        (void)close(d->wake_fd);
}
