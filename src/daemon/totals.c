/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/totals.h"

/* Selects a number of one thread's counters. */
typedef const uint64_t *pick(const struct tk_counters *c, size_t i, size_t j);

static const uint64_t *pick_plain(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->plain[i];
}

static const uint64_t *pick_limit(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->limits[i];
}

static const uint64_t *pick_violation(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->violations[i];
}

static const uint64_t *pick_edit(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->edits[i];
}

static const uint64_t *pick_miss(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->misses[i];
}

static const uint64_t *pick_outcome(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->outcomes[i];
}

static const uint64_t *pick_requests(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->methods[i].requests;
}

static const uint64_t *pick_error(const struct tk_counters *c, size_t i, size_t j)
{
    return &c->methods[i].errors[j];
}

static const uint64_t *pick_latency_count(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->methods[i].latency_count;
}

static const uint64_t *pick_latency_sum(const struct tk_counters *c, size_t i, size_t j)
{
    (void)j;
    return &c->methods[i].latency_sum;
}

static const uint64_t *pick_bucket(const struct tk_counters *c, size_t i, size_t j)
{
    return &c->methods[i].buckets[j];
}

static pick *const picks[] = {
    [TK_TOTAL_PLAIN] = pick_plain,
    [TK_TOTAL_LIMIT] = pick_limit,
    [TK_TOTAL_VIOLATION] = pick_violation,
    [TK_TOTAL_EDIT] = pick_edit,
    [TK_TOTAL_MISS] = pick_miss,
    [TK_TOTAL_OUTCOME] = pick_outcome,
    [TK_TOTAL_REQUESTS] = pick_requests,
    [TK_TOTAL_ERROR] = pick_error,
    [TK_TOTAL_LATENCY_COUNT] = pick_latency_count,
    [TK_TOTAL_LATENCY_SUM] = pick_latency_sum,
    [TK_TOTAL_BUCKET] = pick_bucket,
};

uint64_t tk_total(const struct tk_daemon *d, enum tk_total what, size_t i, size_t j)
{
    pick *p = picks[what];
    uint64_t total = tk_counter_get(p(&d->control.counters, i, j));

    for (size_t w = 0; w < d->worker_count; w++)
        total += tk_counter_get(p(&tk_worker_loop(d->workers[w])->counters, i, j));
    return total;
}
