/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/exposition.h"

#include <inttypes.h>
#include <stdlib.h>

#include "daemon/totals.h"

#define PREFIX "turnkeeper_"

/* Label value of requests in which no method was found. */
#define NO_METHOD "none"

struct exposition {
    struct tk_daemon *d;
    struct tk_settings *settings;
    FILE *to;
    bool open_metrics;
};

enum type {
    COUNTER,
    GAUGE,
    HISTOGRAM,
    INFO,
};

/* A family: samples of one name, told apart by labels. */
struct family {
    const char *name; /* without prefix, and without the "_total" of a counter's samples */
    enum type type;
    const char *unit; /* the name's last word, if it is one */
    const char *help;
    void (*write)(const struct exposition *p, const struct family *f);
};

static const char *const type_names[] = {
    [COUNTER] = "counter", [GAUGE] = "gauge", [HISTOGRAM] = "histogram", [INFO] = "info"};

/* Ends of the names of samples. */
static const char *const suffixes[] = {
    [COUNTER] = "_total", [GAUGE] = "", [HISTOGRAM] = "", [INFO] = "_info"};

static void put_head(const struct exposition *p, const struct family *f)
{
    /* The older format knows no type "info", and its family is named as its samples are. */
    const char *type = f->type == INFO && !p->open_metrics ? "gauge" : type_names[f->type];
    const char *suffix = p->open_metrics ? "" : suffixes[f->type];

    (void)fprintf(p->to, "# HELP " PREFIX "%s%s %s.\n", f->name, suffix, f->help);
    (void)fprintf(p->to, "# TYPE " PREFIX "%s%s %s\n", f->name, suffix, type);
    if (f->unit && p->open_metrics)
        (void)fprintf(p->to, "# UNIT " PREFIX "%s %s\n", f->name, f->unit);
}

static void put_plain(const struct exposition *p, const struct family *f, uint64_t n)
{
    (void)fprintf(p->to, PREFIX "%s%s %" PRIu64 "\n", f->name, suffixes[f->type], n);
}

static void put_labelled(const struct exposition *p, const struct family *f, const char *label,
                         const char *value, uint64_t n)
{
    (void)fprintf(p->to, PREFIX "%s%s{%s=\"%s\"} %" PRIu64 "\n", f->name, suffixes[f->type], label,
                  value, n);
}

/* ---- the process ---- */

static void write_build(const struct exposition *p, const struct family *f)
{
    (void)fprintf(p->to, PREFIX "%s_info{version=\"%s\",protocol=\"%d\"} 1\n", f->name,
                  tk_version(), TK_PROTOCOL);
}

static void write_uptime(const struct exposition *p, const struct family *f)
{
    (void)fprintf(p->to, PREFIX "%s %.3f\n", f->name, tk_seconds(tk_now() - p->d->started));
}

static void write_workers(const struct exposition *p, const struct family *f)
{
    put_plain(p, f, p->d->worker_count);
}

static void write_draining(const struct exposition *p, const struct family *f)
{
    put_plain(p, f, tk_daemon_phase(p->d) == TK_PHASE_DRAINING);
}

static void write_connections(const struct exposition *p, const struct family *f)
{
    put_labelled(p, f, "socket", "main", (uint64_t)tk_peers_total(p->d->peers));
    put_labelled(p, f, "socket", "control", (uint64_t)tk_peers_total(p->d->control_peers));
}

static void write_streams(const struct exposition *p, const struct family *f)
{
    put_labelled(p, f, "state", "open", (uint64_t)tk_inflight_streams(&p->d->inflight));
}

static void write_inflight(const struct exposition *p, const struct family *f)
{
    put_plain(p, f, (uint64_t)tk_inflight_get(&p->d->inflight));
}

/* ---- requests ---- */

static const char *method_name(size_t method)
{
    return method < tk_method_count() ? tk_method_name(method) : NO_METHOD;
}

static void put_requests(const struct exposition *p, const struct family *f, size_t method,
                         const char *error, uint64_t n)
{
    (void)fprintf(p->to, PREFIX "%s_total{method=\"%s\",error=\"%s\"} %" PRIu64 "\n", f->name,
                  method_name(method), error, n);
}

/* Returns true for errors that are the daemon's doing. They are there with 0 from the start: a counter
 * that begins at 1 has not increased, and no alert would see the first one. */
static bool is_ours(size_t error)
{
    return error == TK_ERR_BUSY || error == TK_ERR_DEADLINE_EXCEEDED || error == TK_ERR_INTERNAL;
}

/* Writes the requests of one method by error; those that succeeded have an empty one. */
static void write_requests_of(const struct exposition *p, const struct family *f, size_t method)
{
    uint64_t all = tk_total(p->d, TK_TOTAL_REQUESTS, method, 0), failed = 0;

    for (size_t e = 0; e < TK_ERR_COUNT; e++) {
        uint64_t n = tk_total(p->d, TK_TOTAL_ERROR, method, e);

        if (n > 0 || is_ours(e))
            put_requests(p, f, method, tk_errors[e].name, n);
        failed += n;
    }
    /* Threads count between the two readings: never less than none. */
    if (method < tk_method_count())
        put_requests(p, f, method, "", all > failed ? all - failed : 0);
}

static void write_requests(const struct exposition *p, const struct family *f)
{
    for (size_t m = 0; m <= tk_method_count(); m++)
        write_requests_of(p, f, m);
}

static void write_duration_of(const struct exposition *p, const struct family *f, size_t method)
{
    const char *name = tk_method_name(method);
    uint64_t count = tk_total(p->d, TK_TOTAL_LATENCY_COUNT, method, 0), cumulative = 0;

    for (size_t i = 0; i < TK_BUCKET_COUNT; i++) {
        cumulative += tk_total(p->d, TK_TOTAL_BUCKET, method, i);
        (void)fprintf(p->to, PREFIX "%s_bucket{method=\"%s\",le=\"%g\"} %" PRIu64 "\n", f->name,
                      name, tk_bucket_bounds[i] / 1e6, cumulative);
    }
    if (count < cumulative) /* the buckets were read later */
        count = cumulative;
    (void)fprintf(p->to, PREFIX "%s_bucket{method=\"%s\",le=\"+Inf\"} %" PRIu64 "\n", f->name, name,
                  count);
    (void)fprintf(p->to, PREFIX "%s_sum{method=\"%s\"} %.6f\n", f->name, name,
                  (double)tk_total(p->d, TK_TOTAL_LATENCY_SUM, method, 0) / 1e6);
    (void)fprintf(p->to, PREFIX "%s_count{method=\"%s\"} %" PRIu64 "\n", f->name, name, count);
}

static void write_duration(const struct exposition *p, const struct family *f)
{
    for (size_t m = 0; m < tk_method_count(); m++)
        write_duration_of(p, f, m);
}

/* ---- histories ---- */

static void write_named(const struct exposition *p, const struct family *f, enum tk_total what,
                        const char *label, size_t count, const char *(*name)(size_t i))
{
    for (size_t i = 0; i < count; i++)
        if (name(i))
            put_labelled(p, f, label, name(i), tk_total(p->d, what, i, 0));
}

static void write_findings(const struct exposition *p, const struct family *f)
{
    write_named(p, f, TK_TOTAL_VIOLATION, "code", tk_code_count(), tk_code_name);
}

static void write_misses(const struct exposition *p, const struct family *f)
{
    write_named(p, f, TK_TOTAL_MISS, "code", tk_miss_count(), tk_miss_name);
}

static void write_edits(const struct exposition *p, const struct family *f)
{
    write_named(p, f, TK_TOTAL_EDIT, "action", tk_action_count(), tk_action_name);
}

static void write_histories(const struct exposition *p, const struct family *f)
{
    for (size_t i = TK_OUTCOME_NONE + 1; i < TK_OUTCOME_COUNT; i++)
        put_labelled(p, f, "outcome", tk_outcome_name((enum tk_outcome)i),
                     tk_total(p->d, TK_TOTAL_OUTCOME, i, 0));
}

/* ---- limits: those of one unit are a family ---- */

static void write_hits(const struct exposition *p, const struct family *f)
{
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++)
        put_labelled(p, f, "limit", tk_limit_rows[i].name, tk_total(p->d, TK_TOTAL_LIMIT, i, 0));
}

static void write_limits(const struct exposition *p, const struct family *f, enum tk_unit unit)
{
    for (size_t i = 0; i < TK_LIMIT_COUNT; i++) {
        int64_t value = tk_limit_get(&p->settings->limits, (enum tk_limit)i);

        if (tk_limit_rows[i].unit != unit)
            continue;
        (void)fprintf(p->to, PREFIX "%s{limit=\"%s\"} %.15g\n", f->name, tk_limit_rows[i].name,
                      unit == TK_UNIT_SECONDS ? tk_seconds(value) : (double)value);
    }
}

static void write_limits_of_bytes(const struct exposition *p, const struct family *f)
{
    write_limits(p, f, TK_UNIT_BYTES);
}

static void write_limits_of_seconds(const struct exposition *p, const struct family *f)
{
    write_limits(p, f, TK_UNIT_SECONDS);
}

static void write_limits_of_things(const struct exposition *p, const struct family *f)
{
    write_limits(p, f, TK_UNIT_COUNT);
}

static const struct family families[] = {
    {"build", INFO, NULL, "Version of the daemon and of its protocol", write_build},
    {"uptime_seconds", GAUGE, "seconds", "Time since the start", write_uptime},
    {"workers", GAUGE, NULL, "Threads that work on requests", write_workers},
    {"draining", GAUGE, NULL, "1 from SIGTERM to the end, else 0", write_draining},
    {"connections", GAUGE, NULL, "Open connections by socket", write_connections},
    {"streams", GAUGE, NULL, "Streams by state", write_streams},
    {"inflight_bytes", GAUGE, "bytes", "Bytes of requests, unsent answers and streams",
     write_inflight},
    {"requests", COUNTER, NULL,
     "Requests by method and error; an empty error is success, the method none means that none "
     "was found",
     write_requests},
    {"request_duration_seconds", HISTOGRAM, "seconds",
     "Time from the last byte of a request to its answer, by method", write_duration},
    {"findings", COUNTER, NULL, "Findings that were reported, by code", write_findings},
    {"edits", COUNTER, NULL, "Edits of repairs, by action", write_edits},
    {"misses", COUNTER, NULL,
     "Requests that clients reported as refused although they were called sound, by the rule that "
     "the provider's words belong to",
     write_misses},
    {"histories", COUNTER, NULL,
     "Histories that were judged: clean as they came, repaired, or unsafe", write_histories},
    {"limit_hits", COUNTER, NULL, "Times that a limit was reached, by limit", write_hits},
    {"limit_bytes", GAUGE, "bytes", "The limits in bytes", write_limits_of_bytes},
    {"limit_seconds", GAUGE, "seconds", "The limits in seconds", write_limits_of_seconds},
    {"limit_items", GAUGE, NULL, "The limits that are a number of things", write_limits_of_things},
};

static void write_family(const struct exposition *p, const struct family *f)
{
    put_head(p, f);
    f->write(p, f);
}

/* Writes the counters without labels: a family each, from the table that `stats` has, too. */
static void write_counters(const struct exposition *p)
{
    for (size_t i = 0; i < TK_COUNTER_COUNT; i++) {
        const struct tk_counter_row *row = &tk_counter_rows[i];
        bool bytes = i == TK_COUNT_bytes_in || i == TK_COUNT_bytes_out;
        struct family f = {.name = row->metric, .type = COUNTER, .help = row->help};

        if (!row->metric)
            continue;
        f.unit = bytes ? "bytes" : NULL;
        put_head(p, &f);
        put_plain(p, &f, tk_total(p->d, TK_TOTAL_PLAIN, i, 0));
    }
}

void tk_exposition_write(struct tk_daemon *d, enum tk_exposition_format format, FILE *to)
{
    struct exposition page = {.d = d,
                              .settings = tk_daemon_settings(d),
                              .to = to,
                              .open_metrics = format == TK_EXPOSITION_OPENMETRICS};

    for (size_t i = 0; i < sizeof(families) / sizeof(families[0]); i++)
        write_family(&page, &families[i]);
    write_counters(&page);
    if (page.open_metrics)
        (void)fputs("# EOF\n", to);
    tk_settings_unref(page.settings);
}

char *tk_exposition_text(struct tk_daemon *d, enum tk_exposition_format format, size_t *ret_size)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, ret_size);
    bool ok;

    if (!to)
        return NULL;
    tk_exposition_write(d, format, to);
    ok = ferror(to) == 0;
    if (fclose(to) == 0 && ok)
        return text;
    free(text);
    return NULL;
}
