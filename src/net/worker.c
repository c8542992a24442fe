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

enum kind {
    MESSAGE_CONNECT,
    MESSAGE_SETTINGS,
    MESSAGE_DRAIN,
    MESSAGE_STOP,
    MESSAGE_KINDS,
};

struct message {
    STAILQ_ENTRY(message) next;
    enum kind kind;
    struct tk_peer peer;
    struct tk_settings *settings; /* a reference */
};

STAILQ_HEAD(messages, message);

struct tk_worker {
    struct tk_loop loop;
    pthread_t thread;
    pthread_mutex_t lock; /* of the mailbox */
    struct messages mailbox;
    int wake_fd;
    struct event wake;
    int64_t load;            /* connections handed over, ever; only the main thread */
    int64_t asked, answered; /* atomic: times of the last question and of the last one seen */
    int64_t lag;             /* atomic: how long the last answer took */
};

/* ---- the worker's side ---- */

static void on_connect(struct tk_worker *w, struct message *m)
{
    if (tk_connection_new(&w->loop, &m->peer) < 0)
        tk_log(TK_LOG_WARNING, "connection_lost", "reason=memory uid=%u", m->peer.uid);
}

static void on_settings(struct tk_worker *w, struct message *m)
{
    tk_connections_set_settings(&w->loop, m->settings);
}

static void on_drain(struct tk_worker *w, struct message *m)
{
    (void)m;
    tk_connections_drain(&w->loop);
}

static void on_stop(struct tk_worker *w, struct message *m)
{
    (void)m;
    (void)event_base_loopbreak(w->loop.base);
}

static void (*const handlers[MESSAGE_KINDS])(struct tk_worker *w, struct message *m) = {
    [MESSAGE_CONNECT] = on_connect,
    [MESSAGE_SETTINGS] = on_settings,
    [MESSAGE_DRAIN] = on_drain,
    [MESSAGE_STOP] = on_stop,
};

static void answer_beat(struct tk_worker *w)
{
    int64_t asked = __atomic_load_n(&w->asked, __ATOMIC_ACQUIRE);

    if (asked == __atomic_load_n(&w->answered, __ATOMIC_RELAXED))
        return;
    __atomic_store_n(&w->lag, tk_now() - asked, __ATOMIC_RELAXED);
    __atomic_store_n(&w->answered, asked, __ATOMIC_RELEASE);
}

static void on_wake(evutil_socket_t fd, short what, void *arg)
{
    struct tk_worker *w = arg;
    struct messages mail = STAILQ_HEAD_INITIALIZER(mail);
    struct message *m;
    uint64_t count;

    (void)what;
    if (read(fd, &count, sizeof(count)) < 0)
        return;
    answer_beat(w);
    pthread_mutex_lock(&w->lock);
    STAILQ_CONCAT(&mail, &w->mailbox);
    pthread_mutex_unlock(&w->lock);
    while ((m = STAILQ_FIRST(&mail)) != NULL) {
        STAILQ_REMOVE_HEAD(&mail, next);
        handlers[m->kind](w, m);
        tk_settings_unref(m->settings);
        free(m);
    }
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

static int post(struct tk_worker *w, const struct message *message)
{
    struct message *m = malloc(sizeof(*m));
    bool first;

    if (!m)
        return -ENOMEM;
    *m = *message;
    pthread_mutex_lock(&w->lock);
    first = STAILQ_EMPTY(&w->mailbox);
    STAILQ_INSERT_TAIL(&w->mailbox, m, next);
    pthread_mutex_unlock(&w->lock);
    if (first) /* otherwise it has been woken already */
        poke(w);
    return 0;
}

int tk_worker_connect(struct tk_worker *worker, const struct tk_peer *peer)
{
    struct message m = {.kind = MESSAGE_CONNECT, .peer = *peer};
    int r = post(worker, &m);

    if (r < 0) {
        (void)close(peer->fd);
        tk_peers_remove(worker->loop.peers, peer->uid);
    } else {
        worker->load++;
    }
    return r;
}

int tk_worker_set_settings(struct tk_worker *worker, struct tk_settings *settings)
{
    struct message m = {.kind = MESSAGE_SETTINGS, .settings = tk_settings_ref(settings)};
    int r = post(worker, &m);

    if (r < 0)
        tk_settings_unref(settings);
    return r;
}

/* Posts a message that must not get lost: tries until memory is free again. */
static void post_surely(struct tk_worker *w, enum kind kind)
{
    struct message m = {.kind = kind};

    while (post(w, &m) < 0)
        (void)usleep(1000);
}

void tk_worker_drain(struct tk_worker *worker)
{
    post_surely(worker, MESSAGE_DRAIN);
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
    if (!tk_worker_answered(worker))
        return; /* keep the open question, so that the lag grows */
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
    STAILQ_INIT(&w->mailbox);
    tk_connections_init(&w->loop);
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

/* Drops messages that the worker never read. */
static void drop_mail(struct tk_worker *w)
{
    struct message *m;

    while ((m = STAILQ_FIRST(&w->mailbox)) != NULL) {
        STAILQ_REMOVE_HEAD(&w->mailbox, next);
        if (m->kind == MESSAGE_CONNECT) {
            (void)close(m->peer.fd);
            tk_peers_remove(w->loop.peers, m->peer.uid);
        }
        tk_settings_unref(m->settings);
        free(m);
    }
}

void tk_worker_free(struct tk_worker *worker)
{
    if (!worker)
        return;
    post_surely(worker, MESSAGE_STOP);
    (void)pthread_join(worker->thread, NULL);
    drop_mail(worker);
    (void)event_del(&worker->wake);
    pthread_mutex_destroy(&worker->lock);
    (void)close(worker->wake_fd);
    tk_connections_done(&worker->loop);
    tk_loop_done(&worker->loop);
    free(worker);
}
