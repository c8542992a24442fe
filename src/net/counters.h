/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counters for `stats`. Each thread writes its own block, so counting is a plain load and store;
 * `stats` reads all blocks and adds them up (src/daemon/metrics.c).
 */
#ifndef TK_NET_COUNTERS_H
#define TK_NET_COUNTERS_H

#include <stdint.h>

#include "methods/core/host.h"
#include "net/settings.h"

/*
 * X(name in `stats`, name of the metric for Prometheus, help). The metrics of requests have labels
 * and rows of their own (src/daemon/exposition.c), so two have none here.
 */
#define TK_COUNTERS(X)                                                                             \
    X(connections_accepted, "connections_accepted", "connections taken in")                        \
    X(connections_closed, "connections_closed", "connections that ended, for whatever reason")     \
    X(connections_refused, "connections_refused",                                                  \
      "connections answered busy, or not on an allow-list")                                        \
    X(requests, NULL, "requests answered, notifications included")                                 \
    X(notifications, "notifications", "requests that wanted no answer")                            \
    X(errors, NULL, "requests answered with an error")                                             \
    X(bytes_in, "received_bytes", "bytes received")                                                \
    X(bytes_out, "sent_bytes", "bytes sent")                                                       \
    X(yields, "yields", "turns that ended so that other connections get theirs")                   \
    X(stalls, "stalls", "times that a client didn't read its answers")                             \
    X(accept_pauses, "accept_pauses", "times that accepting paused for want of descriptors")       \
    X(reloads, "reloads", "configurations taken over")                                             \
    X(reload_failures, "reload_failures", "configurations refused")

#define TK_COUNTER_ENUM(name, metric, help) TK_COUNT_##name,
enum tk_counter {
    TK_COUNTERS(TK_COUNTER_ENUM) TK_COUNTER_COUNT
};
#undef TK_COUNTER_ENUM

struct tk_counter_row {
    const char *name;
    const char *metric; /* without prefix and suffix; NULL: its numbers are in other metrics */
    const char *help;
};

extern const struct tk_counter_row tk_counter_rows[TK_COUNTER_COUNT];

/* Upper bounds of the latency buckets in microseconds. */
#define TK_BUCKET_COUNT 16
extern const uint32_t tk_bucket_bounds[TK_BUCKET_COUNT];

struct tk_method_counters {
    uint64_t requests;
    uint64_t errors[TK_ERR_COUNT];
    uint64_t latency_count, latency_sum;
    uint64_t buckets[TK_BUCKET_COUNT]; /* not cumulative */
};

struct tk_counters {
    uint64_t plain[TK_COUNTER_COUNT];
    uint64_t limits[TK_LIMIT_COUNT];
    struct tk_method_counters *methods; /* by number; one more for "no method found" */
    uint64_t outcomes[TK_OUTCOME_COUNT];
    uint64_t *violations; /* by code */
    uint64_t *edits;      /* by action */
    uint64_t *misses;     /* by tk_miss_name() */
};

/* 0 or -ENOMEM. */
int tk_counters_init(struct tk_counters *c);
void tk_counters_done(struct tk_counters *c);

/* Adds n. Only the thread that owns the block may call it. */
static inline void tk_counter_add(uint64_t *counter, uint64_t n)
{
    __atomic_store_n(counter, __atomic_load_n(counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

/* Reads a counter. Any thread. */
static inline uint64_t tk_counter_get(const uint64_t *counter)
{
    return __atomic_load_n(counter, __ATOMIC_RELAXED);
}

#define tk_count(c, name, n) tk_counter_add(&(c)->plain[TK_COUNT_##name], (uint64_t)(n))

/* Counts an answer by method, error, codes and edits. took: nanoseconds since the request came. */
void tk_counters_answer(struct tk_counters *c, const tk_reply *reply, int64_t took);

/* Counts a limit that was hit and logs it, at most once a second for each limit. */
void tk_limit_hit(struct tk_counters *c, enum tk_limit limit, int64_t now, uint32_t uid);

#endif
