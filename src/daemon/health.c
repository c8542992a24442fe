/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/health.h"

#include "daemon/heartbeat.h"

struct check {
    const char *name, *unit;
    double (*value)(struct tk_daemon *d);
    double (*limit)(const struct tk_limits *l);
    bool whole; /* a number of things, not of seconds */
};

static double heartbeat_value(struct tk_daemon *d)
{
    return tk_seconds(tk_heartbeat_lag(d));
}

static double heartbeat_limit(const struct tk_limits *l)
{
    return tk_seconds(l->request_timeout);
}

static double connections_value(struct tk_daemon *d)
{
    return (double)tk_peers_total(d->peers);
}

static double connections_limit(const struct tk_limits *l)
{
    return (double)l->max_connections;
}

static double streams_value(struct tk_daemon *d)
{
    return (double)tk_inflight_streams(&d->inflight);
}

static double streams_limit(const struct tk_limits *l)
{
    return (double)l->max_connections * (double)l->max_streams_per_connection;
}

static double inflight_value(struct tk_daemon *d)
{
    return (double)tk_inflight_get(&d->inflight);
}

static double inflight_limit(const struct tk_limits *l)
{
    return (double)l->max_inflight_bytes;
}

static const struct check checks[] = {
    {"worker_heartbeat", "s", heartbeat_value, heartbeat_limit, false},
    {"connections", "connections", connections_value, connections_limit, true},
    {"streams", "streams", streams_value, streams_limit, true},
    {"inflight_bytes", "bytes", inflight_value, inflight_limit, true},
};
#define CHECK_COUNT (sizeof(checks) / sizeof(checks[0]))

static void write_number(struct tk_writer *w, const char *key, double n, bool whole)
{
    tk_write_key(w, key);
    if (whole)
        tk_write_int(w, (int64_t)n);
    else
        tk_write_real(w, n);
}

/* Writes a check. It passes below its limit: at the limit, the next client would be refused. */
static void write_check(struct tk_writer *w, const struct check *c, double value, double limit)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "name", c->name);
    tk_write_kv_bool(w, "ok", value < limit);
    write_number(w, "value", value, c->whole);
    write_number(w, "limit", limit, c->whole);
    tk_write_kv_cstr(w, "unit", c->unit);
    tk_write_end(w);
}

void tk_health(void *arg, struct tk_writer *w)
{
    struct tk_daemon *d = arg;
    struct tk_settings *s = tk_daemon_settings(d);
    double values[CHECK_COUNT], limits[CHECK_COUNT];
    const char *status = "ok";

    for (size_t i = 0; i < CHECK_COUNT; i++) {
        values[i] = checks[i].value(d);
        limits[i] = checks[i].limit(&s->limits);
        if (values[i] >= limits[i])
            status = "degraded";
    }
    if (tk_daemon_phase(d) == TK_PHASE_DRAINING)
        status = "draining";
    tk_write_map(w);
    tk_write_kv_cstr(w, "status", status);
    tk_write_kv_cstr(w, "version", tk_version());
    tk_write_key(w, "uptime_s");
    tk_write_real(w, tk_seconds(tk_now() - d->started));
    tk_write_key(w, "checks");
    tk_write_list(w);
    for (size_t i = 0; i < CHECK_COUNT; i++)
        write_check(w, &checks[i], values[i], limits[i]);
    tk_write_end(w);
    tk_write_end(w);
    tk_settings_unref(s);
}
