/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/metrics.h"

#include <stdio.h>

#include "daemon/totals.h"

static void write_count(struct tk_writer *w, const char *key, uint64_t n)
{
    tk_write_key(w, key);
    tk_write_uint(w, n);
}

/* Writes requests without a method and their errors, which have no row under `methods`. */
static void write_unreadable(const struct tk_daemon *d, struct tk_writer *w)
{
    size_t none = tk_method_count();
    char key[64];

    write_count(w, "unreadable_requests", tk_total(d, TK_TOTAL_REQUESTS, none, 0));
    for (size_t e = 0; e < TK_ERR_COUNT; e++) {
        uint64_t n = tk_total(d, TK_TOTAL_ERROR, none, e);

        (void)snprintf(key, sizeof(key), "unreadable_%s", tk_errors[e].name);
        if (n > 0)
            write_count(w, key, n);
    }
}

static void write_counters(const struct tk_daemon *d, struct tk_writer *w)
{
    tk_write_key(w, "counters");
    tk_write_map(w);
    for (size_t i = 0; i < TK_COUNTER_COUNT; i++)
        write_count(w, tk_counter_rows[i].name, tk_total(d, TK_TOTAL_PLAIN, i, 0));
    write_unreadable(d, w);
    tk_write_end(w);
}

static void write_gauges(struct tk_daemon *d, struct tk_writer *w)
{
    tk_write_key(w, "gauges");
    tk_write_map(w);
    tk_write_kv_int(w, "connections", tk_peers_total(d->peers));
    tk_write_kv_int(w, "control_connections", tk_peers_total(d->control_peers));
    tk_write_kv_int(w, "streams", tk_inflight_streams(&d->inflight));
    tk_write_kv_int(w, "inflight_bytes", tk_inflight_get(&d->inflight));
    tk_write_kv_int(w, "workers", (int64_t)d->worker_count);
    tk_write_kv_int(w, "draining", tk_daemon_phase(d) == TK_PHASE_DRAINING);
    tk_write_end(w);
}

static void write_limits(const struct tk_daemon *d, struct tk_writer *w, const char *key)
{
    tk_write_key(w, key);
    tk_write_map(w);
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++)
        write_count(w, tk_limit_rows[i].name, tk_total(d, TK_TOTAL_LIMIT, i, 0));
    tk_write_end(w);
}

/* Writes the numbers that aren't 0. */
static void write_named(const struct tk_daemon *d, struct tk_writer *w, const char *key,
                        enum tk_total what, size_t count, const char *(*name)(size_t i))
{
    tk_write_key(w, key);
    tk_write_map(w);
    for (size_t i = 0; i < count; i++) {
        uint64_t n = tk_total(d, what, i, 0);

        if (n > 0)
            write_count(w, name(i), n);
    }
    tk_write_end(w);
}

static void write_histories(const struct tk_daemon *d, struct tk_writer *w)
{
    tk_write_key(w, "histories");
    tk_write_map(w);
    for (size_t i = TK_OUTCOME_NONE + 1; i < TK_OUTCOME_COUNT; i++)
        write_count(w, tk_outcome_name((enum tk_outcome)i), tk_total(d, TK_TOTAL_OUTCOME, i, 0));
    tk_write_end(w);
}

static void write_buckets(const struct tk_daemon *d, struct tk_writer *w, size_t method)
{
    uint64_t cumulative = 0;

    tk_write_key(w, "buckets");
    tk_write_list(w);
    for (size_t i = 0; i < TK_BUCKET_COUNT; i++) {
        cumulative += tk_total(d, TK_TOTAL_BUCKET, method, i);
        tk_write_list(w);
        tk_write_uint(w, tk_bucket_bounds[i]);
        tk_write_uint(w, cumulative);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_method(const struct tk_daemon *d, struct tk_writer *w, size_t method)
{
    tk_write_key(w, tk_method_name(method));
    tk_write_map(w);
    write_count(w, "requests", tk_total(d, TK_TOTAL_REQUESTS, method, 0));
    tk_write_key(w, "errors");
    tk_write_map(w);
    for (size_t e = 0; e < TK_ERR_COUNT; e++) {
        uint64_t n = tk_total(d, TK_TOTAL_ERROR, method, e);

        if (n > 0)
            write_count(w, tk_errors[e].name, n);
    }
    tk_write_end(w);
    tk_write_key(w, "latency_us");
    tk_write_map(w);
    write_count(w, "count", tk_total(d, TK_TOTAL_LATENCY_COUNT, method, 0));
    write_count(w, "sum", tk_total(d, TK_TOTAL_LATENCY_SUM, method, 0));
    write_buckets(d, w, method);
    tk_write_end(w);
    tk_write_end(w);
}

void tk_stats(void *arg, struct tk_writer *w)
{
    struct tk_daemon *d = arg;

    tk_write_map(w);
    tk_write_key(w, "uptime_s");
    tk_write_real(w, tk_seconds(tk_now() - d->started));
    write_counters(d, w);
    write_gauges(d, w);
    write_limits(d, w, "limit_hits");
    write_limits(d, w, "limits"); /* the older name of `limit_hits`, kept for clients */
    write_named(d, w, "violations", TK_TOTAL_VIOLATION, tk_code_count(), tk_code_name);
    write_named(d, w, "edits", TK_TOTAL_EDIT, tk_action_count(), tk_action_name);
    write_named(d, w, "misses", TK_TOTAL_MISS, tk_miss_count(), tk_miss_name);
    write_histories(d, w);
    tk_write_key(w, "methods");
    tk_write_map(w);
    for (size_t m = 0; m < tk_method_count(); m++)
        write_method(d, w, m);
    tk_write_end(w);
    tk_write_end(w);
}

void tk_info_limits(void *arg, struct tk_writer *w)
{
    struct tk_settings *s = tk_daemon_settings(arg);

    tk_write_map(w);
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++) {
        int64_t value = tk_limit_get(&s->limits, (enum tk_limit)i);

        tk_write_key(w, tk_limit_rows[i].name);
        if (tk_limit_rows[i].unit != TK_UNIT_SECONDS)
            tk_write_int(w, value);
        else if (value % TK_SECOND == 0)
            tk_write_int(w, value / TK_SECOND);
        else
            tk_write_real(w, tk_seconds(value));
    }
    tk_write_end(w);
    tk_settings_unref(s);
}
