/* SPDX-License-Identifier: Apache-2.0 */
#include "net/worker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "net/connections.h"
#include "net/log.h"
#include "net/turn_away.h"

/* A connection that the worker shall take in. */
struct arrival {
    STAILQ_ENTRY(arrival) next;
    struct tk_peer peer;
};

STAILQ_HEAD(arrivals, arrival);

/* Only an arrival takes memory: the others must not get lost, and the last one of a kind counts. */
struct mailbox {
    struct tk_settings *settings; /* a reference; NULL: no new ones */
    struct arrivals arrivals;
    bool drain, stop;
};

struct tk_worker {
    struct tk_loop loop;
    pthread_t thread;
    pthread_mutex_t lock; /* of the mailbox */
    struct mailbox mailbox;
    int wake_fd;
    struct event wake;
    int64_t load;            /* connections handed over, ever; only the main thread */
    int64_t asked, answered; /* atomic: times of the last question and of the last one seen */
    int64_t lag;             /* atomic: how long the last answer took */
};

/* ---- the worker's side ---- */

static void answer_beat(struct tk_worker *w)
{
    int64_t asked = __atomic_load_n(&w->asked, __ATOMIC_ACQUIRE);

    if (asked == __atomic_load_n(&w->answered, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&w->lag, tk_now() - asked, __ATOMIC_RELAXED);
    __atomic_store_n(&w->answered, asked, __ATOMIC_RELEASE);
}

/* Empties the mailbox. */
static struct mailbox collect(struct tk_worker *w)
{
    struct mailbox mail;

    pthread_mutex_lock(&w->lock);
    mail = w->mailbox;
    STAILQ_INIT(&mail.arrivals);
    STAILQ_CONCAT(&mail.arrivals, &w->mailbox.arrivals);
    w->mailbox.settings = NULL;
    pthread_mutex_unlock(&w->lock);
    return mail;
}

/* Takes a connection in. Without memory for it, it is refused. */
static void take_in(struct tk_worker *w, const struct tk_peer *peer)
{
    if (tk_connection_new(&w->loop, peer) == 0)
        return;
    tk_log(TK_LOG_WARNING, "connection_refused", "reason=memory uid=%u", peer->uid);
    tk_turn_away(w->loop.core, peer->fd, 0);
    tk_count(&w->loop.counters, connections_closed, 1);
    tk_peers_remove(w->loop.peers, peer->uid);
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
    struct tk_worker *w = arg;
    struct mailbox mail;
    struct arrival *a;
    uint64_t count;

    (void)what;
    if (read(fd, &count, sizeof(count)) < 0)
        return;
    answer_beat(w);
    mail = collect(w);
    if (mail.settings)
        tk_connections_set_settings(&w->loop, mail.settings);
    tk_settings_unref(mail.settings);
    while ((a = STAILQ_FIRST(&mail.arrivals)) != NULL) {
        STAILQ_REMOVE_HEAD(&mail.arrivals, next);
        take_in(w, &a->peer);
        free(a);
    }
    tk_connections_mend(&w->loop);
    tk_connections_unpark(&w->loop);
    if (mail.drain && !w->loop.draining)
        tk_connections_drain(&w->loop);
    if (mail.stop)
        (void)event_base_loopbreak(w->loop.base);
}

static void *run(void *arg)
{
    struct tk_worker *w = arg;

    (void)event_base_dispatch(w->loop.base);
    return NULL;
}

/* ---- the main thread's side ---- */

static void poke(struct tk_worker *w)
{
    static const uint64_t one = 1;

    /* Fails only if the counter is full: then the worker has been woken already. */
    if (write(w->wake_fd, &one, sizeof(one)) < 0)
        return;
}

/* Is called by other workers: a slot is granted to this one. */
static void poke_from_anywhere(void *arg)
{
    poke(arg);
}

int tk_worker_connect(struct tk_worker *worker, const struct tk_peer *peer)
{
    struct arrival *a = malloc(sizeof(*a));
    bool first;

    if (!a)
        return -ENOMEM;
    a->peer = *peer;
    pthread_mutex_lock(&worker->lock);
    first = STAILQ_EMPTY(&worker->mailbox.arrivals);
    STAILQ_INSERT_TAIL(&worker->mailbox.arrivals, a, next);
    pthread_mutex_unlock(&worker->lock);
    if (first) /* otherwise it has been woken already */
        poke(worker);
    worker->load++;
    return 0;
}

void tk_worker_set_settings(struct tk_worker *worker, struct tk_settings *settings)
{
    struct tk_settings *unread;

    pthread_mutex_lock(&worker->lock);
    unread = worker->mailbox.settings;
    worker->mailbox.settings = tk_settings_ref(settings);
    pthread_mutex_unlock(&worker->lock);
    tk_settings_unref(unread);
    poke(worker);
}

/* Sets a flag of the mailbox for good. */
static void raise_flag(struct tk_worker *w, bool *flag)
{
    pthread_mutex_lock(&w->lock);
    *flag = true;
    pthread_mutex_unlock(&w->lock);
    poke(w);
}

void tk_worker_drain(struct tk_worker *worker)
{
    raise_flag(worker, &worker->mailbox.drain);
}

int64_t tk_worker_load(const struct tk_worker *worker)
{
    const uint64_t *closed = &worker->loop.counters.plain[TK_COUNT_connections_closed];

    return worker->load - (int64_t)tk_counter_get(closed);
}

struct tk_loop *tk_worker_loop(struct tk_worker *worker)
{
    return &worker->loop;
}

void tk_worker_beat(struct tk_worker *worker, int64_t now)
{
    if (tk_worker_answered(worker)) /* otherwise keep the open question, so that the lag grows */
        __atomic_store_n(&worker->asked, now, __ATOMIC_RELEASE);
    poke(worker);
}

bool tk_worker_answered(const struct tk_worker *worker)
{
    return __atomic_load_n(&worker->asked, __ATOMIC_ACQUIRE) ==
           __atomic_load_n(&worker->answered, __ATOMIC_ACQUIRE);
}

int64_t tk_worker_lag(const struct tk_worker *worker, int64_t now)
{
    int64_t asked = __atomic_load_n(&worker->asked, __ATOMIC_ACQUIRE);

    if (tk_worker_answered(worker))
        return __atomic_load_n(&worker->lag, __ATOMIC_RELAXED);
    return now > asked ? now - asked : 0;
}

static int start_thread(struct tk_worker *w)
{
    sigset_t all, old;
    int r;

    (void)sigfillset(&all); /* signals are the main thread's */
    (void)pthread_sigmask(SIG_BLOCK, &all, &old);
    r = pthread_create(&w->thread, NULL, run, w);
    if (r == 0)
        (void)pthread_setname_np(w->thread, "worker");
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    return r;
}

struct tk_worker *tk_worker_new(const struct tk_worker_options *options)
{
    struct tk_worker *w = calloc(1, sizeof(*w));
    int r = ENOMEM;

    if (!w || tk_loop_init(&w->loop, &options->loop) < 0) {
        free(w);
        errno = r;
        return NULL;
    }
    STAILQ_INIT(&w->mailbox.arrivals);
    tk_connections_init(&w->loop);
    w->loop.slot.wake = poke_from_anywhere;
    w->loop.slot.arg = w;
    w->loop.empty = options->drained;
    w->loop.empty_arg = options->arg;
    w->wake_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (w->wake_fd < 0) {
        r = errno;
        goto fail_fd;
    }
    r = pthread_mutex_init(&w->lock, NULL);
    if (r != 0)
        goto fail_lock;
    (void)event_assign(&w->wake, w->loop.base, w->wake_fd, EV_READ | EV_PERSIST, on_wake, w);
    r = event_add(&w->wake, NULL) == 0 ? start_thread(w) : ENOMEM;
    if (r == 0)
        return w;
    (void)event_del(&w->wake);
    pthread_mutex_destroy(&w->lock);
fail_lock:
    (void)close(w->wake_fd);
fail_fd:
    tk_connections_done(&w->loop);
    tk_loop_done(&w->loop);
    free(w);
    errno = r;
    return NULL;
}

/* Closes connections that the worker never took in. */
static void drop_mail(struct tk_worker *w)
{
    struct mailbox mail = collect(w);
    struct arrival *a;

    while ((a = STAILQ_FIRST(&mail.arrivals)) != NULL) {
        STAILQ_REMOVE_HEAD(&mail.arrivals, next);
        (void)close(a->peer.fd);
        tk_peers_remove(w->loop.peers, a->peer.uid);
        free(a);
    }
    tk_settings_unref(mail.settings);
}

void tk_worker_free(struct tk_worker *worker)
{
    if (!worker)
        return;
    raise_flag(worker, &worker->mailbox.stop);
    (void)pthread_join(worker->thread, NULL);
    drop_mail(worker);
    (void)event_del(&worker->wake);
    pthread_mutex_destroy(&worker->lock);
    (void)close(worker->wake_fd);
    tk_connections_done(&worker->loop);
    tk_loop_done(&worker->loop);
    free(worker);
}
