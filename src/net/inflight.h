/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bytes in flight: partly received requests, unsent answers with all memory that they keep, and
 * bytes that open streams hold; and the number of those streams. All threads share the counters;
 * each connection knows its own part.
 *
 *     all users together   at most max_inflight_bytes, where each user counts
 *                          with max_inflight_bytes_per_uid at most
 *     one user             at most max_inflight_bytes_per_uid
 *     short frames         a twentieth of max_inflight_bytes beyond it
 *
 * An answer is made before its size is known, so a user may exceed its share. The excess doesn't
 * count against the others: whatever one user does, they can use the rest of max_inflight_bytes.
 */
#ifndef TK_NET_INFLIGHT_H
#define TK_NET_INFLIGHT_H

#include <pthread.h>

#include "net/settings.h"

/* The reserve beyond max_inflight_bytes is for frames below this size. */
#define TK_SHORT_FRAME  (64 * 1024)
#define TK_RESERVE_PART 20

/* The bytes of one user. It exists while the user has a connection. */
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
/* Frees it; all shares must have been left. A zeroed struct is allowed. */
void tk_inflight_done(struct tk_inflight *f);

/* Applies a new max_inflight_bytes_per_uid after a reload. */
void tk_inflight_set_most(struct tk_inflight *f, int64_t most_of_uid);

/* Returns the share of a user, which all its connections use. NULL if out of memory. */
struct tk_share *tk_inflight_join(struct tk_inflight *f, uid_t uid);

/* Ends a tk_inflight_join(). The connection's charge must be 0. */
void tk_inflight_leave(struct tk_inflight *f, struct tk_share *share);

/* Makes *charged, a part of the share, equal to `bytes`. */
void tk_inflight_charge(struct tk_inflight *f, struct tk_share *share, size_t *charged,
                        size_t bytes);

/*
 * Returns the limit that `more` bytes of the user would exceed, for a frame of that size;
 * TK_LIMIT_COUNT if they fit. limits: those of the caller's thread.
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
