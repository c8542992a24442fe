/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/daemon.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "daemon/activation.h"
#include "daemon/admission.h"
#include "daemon/control.h"
#include "daemon/drain.h"
#include "daemon/exposition.h"
#include "daemon/health.h"
#include "daemon/heartbeat.h"
#include "daemon/http.h"
#include "daemon/metrics.h"
#include "daemon/notify.h"
#include "daemon/reserve.h"
#include "net/log.h"

/* The most workers that are started if no number is configured. */
#define DEFAULT_WORKERS_MAX 4

static size_t worker_count(const struct tk_settings *settings)
{
    cpu_set_t set;
    int n = 1;

    if (settings->workers > 0)
        return (size_t)settings->workers;
    if (sched_getaffinity(0, sizeof(set), &set) == 0)
        n = CPU_COUNT(&set);
    return n < DEFAULT_WORKERS_MAX ? (size_t)n : DEFAULT_WORKERS_MAX;
}

static int start_workers(struct tk_daemon *d, const uint64_t *hash_key)
{
    struct tk_worker_options options = {
        .loop = {.settings = d->settings,
                 .peers = d->peers,
                 .inflight = &d->inflight,
                 .slots = &d->slots,
                 .host = &d->host,
                 .hash_key = hash_key},
        .drained = tk_drain_worker_done,
        .arg = d,
    };
    size_t count = worker_count(d->settings);
    int r = tk_slots_init(&d->slots, count - 1);

    if (r < 0)
        return r;
    d->workers = calloc(count, sizeof(struct tk_worker *));
    if (!d->workers)
        return -ENOMEM;
    while (d->worker_count < count) {
        struct tk_worker *w = tk_worker_new(&options);

        if (!w)
            return -errno;
        d->workers[d->worker_count++] = w;
    }
    return 0;
}

static int bind_socket(const struct tk_settings *s, const char *name, const char *path,
                       struct tk_socket *ret_socket)
{
    struct tk_socket_options options = {
        .name = name,
        .path = path,
        .mode = s->socket_mode,
        .group = s->socket_group,
        .backlog = (int)s->limits.backlog,
    };

    return ret_socket->fd >= 0 ? 0 : tk_socket_bind(&options, ret_socket);
}

static int open_sockets(struct tk_daemon *d)
{
    const struct tk_settings *s = d->settings;
    int r;

    r = tk_activation_take(d);
    if (r == 0 && d->main_socket.fd < 0) /* report the configured path first */
        r = tk_socket_check_folder("main", s->socket);
    if (r == 0)
        r = bind_socket(s, "control", s->control, &d->control_socket);
    if (r == 0)
        r = bind_socket(s, "main", s->socket, &d->main_socket);
    return r;
}

static int listen_main(struct tk_daemon *d)
{
    d->main_listener = (struct tk_listener){
        .fd = d->main_socket.fd,
        .counters = &d->control.counters,
        .accepted = tk_admit,
        .arg = d,
    };
    return tk_listener_start(&d->main_listener, d->control.base);
}

static int start_all(struct tk_daemon *d)
{
    uint64_t hash_key[2];
    int r;

    if (tk_reserve_init() < 0)
        return -ENOMEM;
    if (getrandom(hash_key, sizeof(hash_key), 0) != sizeof(hash_key))
        return -EIO;
    d->peers = tk_peers_new();
    if (!d->peers)
        return -ENOMEM;
    r = tk_inflight_init(&d->inflight, d->settings->limits.max_inflight_bytes_per_uid);
    if (r < 0)
        return r;
    r = tk_control_init(d, hash_key);
    if (r == 0)
        r = start_workers(d, hash_key);
    explicit_bzero(hash_key, sizeof(hash_key));
    if (r == 0)
        r = tk_signals_init(d);
    if (r == 0)
        r = tk_heartbeat_init(d);
    if (r == 0)
        r = tk_http_start(d);
    if (r == 0)
        r = listen_main(d);
    return r;
}

static char *metrics(void *arg, enum tk_exposition_format format, size_t *ret_size)
{
    return tk_exposition_text(arg, format, ret_size);
}

int tk_daemon_init(struct tk_daemon *d, const struct tk_overrides *overrides,
                   struct tk_settings *settings)
{
    int r;

    *d = (struct tk_daemon){
        .overrides = overrides,
        .settings = tk_settings_ref(settings),
        .settings_lock = PTHREAD_MUTEX_INITIALIZER,
        .started = tk_now(),
        .host = {.arg = d,
                 .health = tk_health,
                 .stats = tk_stats,
                 .metrics = metrics,
                 .limits = tk_info_limits},
        .main_socket = TK_SOCKET_NONE,
        .control_socket = TK_SOCKET_NONE,
        .http_socket = TK_SOCKET_NONE,
        .signal_fd = -1,
        .wake_fd = -1,
    };
    r = open_sockets(d);
    if (r < 0)
        return r;
    r = start_all(d);
    if (r < 0)
        tk_log(TK_LOG_ERROR, "start_failed", "error=\"%s\"", strerror(-r));
    return r;
}

int tk_daemon_run(struct tk_daemon *d)
{
    tk_log(TK_LOG_NOTICE, "ready", "socket=\"%s\" control=\"%s\" workers=%zu passed=%d",
           d->settings->socket, d->settings->control, d->worker_count, !d->main_socket.bound);
    tk_notify("READY=1\nSTATUS=Serving on %s with %zu workers.", d->settings->socket,
              d->worker_count);
    (void)event_base_dispatch(d->control.base);
    return d->exit_code;
}

void tk_daemon_done(struct tk_daemon *d)
{
    tk_listener_stop(&d->main_listener);
    for (size_t i = 0; i < d->worker_count; i++)
        tk_worker_free(d->workers[i]);
    free(d->workers);
    tk_slots_done(&d->slots);
    tk_heartbeat_done(d);
    tk_signals_done(d);
    tk_http_done(d);
    tk_control_done(d);
    tk_socket_close(&d->main_socket);
    tk_socket_close(&d->control_socket);
    tk_socket_close(&d->http_socket);
    tk_inflight_done(&d->inflight);
    tk_peers_free(d->peers);
    tk_settings_unref(d->settings);
    pthread_mutex_destroy(&d->settings_lock);
}
