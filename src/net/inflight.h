/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes that wait somewhere in the server: frames as they arrive, answers not sent yet with all
 * memory that they keep, what open streams hold; and how many streams those are. Counters for all
 * threads; each connection says how much of them is its own.
 *
 *     all users together   at most max_inflight_bytes, where each user counts
 *                          with max_inflight_bytes_per_uid at most
 *     one user             at most max_inflight_bytes_per_uid
 *     short frames         a twentieth of max_inflight_bytes beyond it
 *
 * An answer is made before its size is known, so a user may come to hold more than its share.
 * What is over the share is not held against the others: whatever one user does, they find the
 * rest of max_inflight_bytes.
 */
#ifndef TK_NET_INFLIGHT_H
#define TK_NET_INFLIGHT_H

#include <pthread.h>

#include "net/settings.h"

/* The reserve beyond max_inflight_bytes is for frames below this size. */
#define TK_SHORT_FRAME  (64 * 1024)
#define TK_RESERVE_PART 20

/* What one user holds; it lives as long as the user has a connection. */
struct tk_share;

struct tk_inflight {
    int64_t bytes, streams; /* touched atomically only */
    pthread_mutex_t lock;   /* of what follows */
    struct tk_share *shares;
    int64_t most; /* max_inflight_bytes_per_uid */
    int64_t held; /* by all users, each of them counted up to `most` */
};

/* 0 or -ENOMEM. */
int tk_inflight_init(struct tk_inflight *f, int64_t most_of_uid);
/* All shares must have been left. A zeroed struct is fine. */
void tk_inflight_done(struct tk_inflight *f);

/* Follows a reload. */
void tk_inflight_set_most(struct tk_inflight *f, int64_t most_of_uid);

/* The share of a user, one for all its connections. NULL when there is no memory. */
struct tk_share *tk_inflight_join(struct tk_inflight *f, uid_t uid);

/* The connection that joined is gone; it charges nothing any more. */
void tk_inflight_leave(struct tk_inflight *f, struct tk_share *share);

/* Makes *charged, a part of the share, equal to `bytes`. */
void tk_inflight_charge(struct tk_inflight *f, struct tk_share *share, size_t *charged,
                        size_t bytes);

/*
 * Tells which limit `more` bytes of the user would be beyond, for a frame of that size;
 * TK_LIMIT_COUNT where there is room for them. The limits are the caller's own.
 */
enum tk_limit tk_inflight_full(struct tk_inflight *f, const struct tk_share *share, int64_t more,
                               size_t frame_size, const struct tk_limits *limits);

static inline int64_t tk_inflight_streams(const struct tk_inflight *f)
{
    return __atomic_load_n(&f->streams, __ATOMIC_RELAXED);
}

static inline int64_t tk_inflight_get(const struct tk_inflight *f)
{
    return __atomic_load_n(&f->bytes, __ATOMIC_RELAXED);
}

/* Makes *counted, a part of the number of streams, equal to n. */
static inline void tk_inflight_count_streams(struct tk_inflight *f, size_t *counted, size_t n)
{
    if (*counted != n)
        (void)__atomic_add_fetch(&f->streams, (int64_t)n - (int64_t)*counted, __ATOMIC_RELAXED);
    *counted = n;
}

#endif
