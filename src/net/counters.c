/* SPDX-License-Identifier: Apache-2.0 */
#include "net/counters.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "net/log.h"

#define ROW(name, metric, help) {#name, metric, help},
const struct tk_counter_row tk_counter_rows[TK_COUNTER_COUNT] = {TK_COUNTERS(ROW)};
#undef ROW

const uint32_t tk_bucket_bounds[TK_BUCKET_COUNT] = {
    5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10000, 25000, 100000, 500000, 1000000, 5000000,
};

/* Errors by which the core reports that a limit was hit. */
static const struct {
    enum tk_error_id error;
    enum tk_limit limit;
} limit_errors[] = {
    {TK_ERR_TOO_DEEP, TK_LIMIT_max_depth},
    {TK_ERR_TOO_MANY_VALUES, TK_LIMIT_max_values},
    {TK_ERR_DEADLINE_EXCEEDED, TK_LIMIT_request_timeout},
};

int tk_counters_init(struct tk_counters *c)
{
    *c = (struct tk_counters){
        .methods = calloc(tk_method_count() + 1, sizeof(*c->methods)),
        .violations = calloc(tk_code_count() + 1, sizeof(*c->violations)),
        .edits = calloc(tk_action_count() + 1, sizeof(*c->edits)),
        .misses = calloc(tk_miss_count(), sizeof(*c->misses)),
    };
    if (c->methods && c->violations && c->edits && c->misses)
        return 0;
    tk_counters_done(c);
    return -ENOMEM;
}

void tk_counters_done(struct tk_counters *c)
{
    free(c->methods);
    free(c->violations);
    free(c->edits);
    free(c->misses);
    *c = (struct tk_counters){0};
}

static enum tk_error_id error_id(const char *name)
{
    enum tk_error_id i = 0;

    while (i < TK_ERR_COUNT && strcmp(tk_errors[i].name, name) != 0)
        i++;
    return i;
}

static void count_error(struct tk_counters *c, struct tk_method_counters *m, const char *name)
{
    enum tk_error_id id = error_id(name);

    tk_count(c, errors, 1);
    if (id == TK_ERR_COUNT)
        return;
    tk_counter_add(&m->errors[id], 1);
    for (size_t i = 0; i < sizeof(limit_errors) / sizeof(limit_errors[0]); i++) {
        if (limit_errors[i].error == id)
            tk_counter_add(&c->limits[limit_errors[i].limit], 1);
    }
}

static void count_latency(struct tk_method_counters *m, int64_t took)
{
    uint64_t us = (uint64_t)(took / TK_MICROSECOND);
    size_t i = 0;

    tk_counter_add(&m->latency_count, 1);
    tk_counter_add(&m->latency_sum, us);
    while (i < TK_BUCKET_COUNT && us > tk_bucket_bounds[i])
        i++;
    if (i < TK_BUCKET_COUNT)
        tk_counter_add(&m->buckets[i], 1);
}

static void count_numbers(uint64_t *to, const uint32_t *from, size_t n)
{
    for (size_t i = 0; from && i < n; i++) {
        if (from[i] > 0)
            tk_counter_add(&to[i], from[i]);
    }
}

/* Counts a limit that the core enforced without an error of its own. */
static void count_limit(struct tk_counters *c, const char *name)
{
    for (size_t i = 0; name && i < TK_LIMIT_COUNT; i++) {
        if (strcmp(tk_limit_rows[i].name, name) == 0)
            tk_counter_add(&c->limits[i], 1);
    }
}

void tk_counters_answer(struct tk_counters *c, const tk_reply *reply, int64_t took)
{
    const tk_reply_info *info = tk_reply_get_info(reply);
    struct tk_tally tally = tk_reply_get_tally(reply);
    size_t method = info->method ? tk_method_index(info->method) : tk_method_count();
    struct tk_method_counters *m = &c->methods[method];

    tk_count(c, requests, 1);
    tk_counter_add(&m->requests, 1);
    if (info->notification)
        tk_count(c, notifications, 1);
    if (info->error)
        count_error(c, m, info->error);
    count_latency(m, took);
    count_limit(c, tally.limit);
    tk_counter_add(&c->outcomes[tally.outcome], 1);
    count_numbers(c->violations, tally.violations, tk_code_count());
    count_numbers(c->edits, tally.edits, tk_action_count());
    if (tally.missed)
        tk_counter_add(&c->misses[tally.miss], 1);
}

void tk_limit_hit(struct tk_counters *c, enum tk_limit limit, int64_t now, uint32_t uid)
{
    static struct tk_log_rate rates[TK_LIMIT_COUNT]; /* of the process: one log */
    uint64_t dropped;

    tk_counter_add(&c->limits[limit], 1);
    if (tk_log_rate_pass(&rates[limit], now, &dropped))
        tk_log(TK_LOG_WARNING, "limit", "limit=%s uid=%u more=%llu", tk_limit_rows[limit].name, uid,
               (unsigned long long)dropped);
}
