/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that wait somewhere in the server: frames as they arrive, answers not sent yet, what open
 * streams hold; and how many streams those are. Counters for all threads; each connection says how
 * much of them is its own.
 */
#ifndef TK_NET_INFLIGHT_H
#define TK_NET_INFLIGHT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tk_inflight {
    int64_t bytes, streams; /* touched atomically only */
};

static inline int64_t tk_inflight_add(struct tk_inflight *f, int64_t bytes)
{
    return __atomic_add_fetch(&f->bytes, bytes, __ATOMIC_RELAXED);
}

static inline int64_t tk_inflight_streams(const struct tk_inflight *f)
{
    return __atomic_load_n(&f->streams, __ATOMIC_RELAXED);
}

static inline int64_t tk_inflight_get(const struct tk_inflight *f)
{
    return __atomic_load_n(&f->bytes, __ATOMIC_RELAXED);
}

/* Makes *charged, a part of the counter, equal to `bytes`. */
static inline void tk_inflight_charge(struct tk_inflight *f, size_t *charged, size_t bytes)
{
    if (*charged != bytes)
        (void)tk_inflight_add(f, (int64_t)bytes - (int64_t)*charged);
    *charged = bytes;
}

/* Makes *counted, a part of the number of streams, equal to n. */
static inline void tk_inflight_count_streams(struct tk_inflight *f, size_t *counted, size_t n)
{
    if (*counted != n)
        (void)__atomic_add_fetch(&f->streams, (int64_t)n - (int64_t)*counted, __ATOMIC_RELAXED);
    *counted = n;
}

#endif
