/* SPDX-License-Identifier: Apache-2.0 */
#include "net/inflight.h"

#include <errno.h>
#include <stdlib.h>

struct tk_share {
    struct tk_share *next;
    uid_t uid;
    size_t users; /* connections that joined */
    int64_t bytes;
};

int tk_inflight_init(struct tk_inflight *f, int64_t most_of_uid)
{
    *f = (struct tk_inflight){.most = most_of_uid};
    return -pthread_mutex_init(&f->lock, NULL);
}

void tk_inflight_done(struct tk_inflight *f)
{
    if (f->most > 0)
        pthread_mutex_destroy(&f->lock);
    *f = (struct tk_inflight){0};
}

/* Returns how many of a user's bytes count against the others. */
static int64_t capped(int64_t bytes, int64_t most)
{
    return bytes < most ? bytes : most;
}

void tk_inflight_set_most(struct tk_inflight *f, int64_t most_of_uid)
{
    pthread_mutex_lock(&f->lock);
    f->most = most_of_uid;
    f->held = 0;
    for (const struct tk_share *s = f->shares; s; s = s->next)
        f->held += capped(s->bytes, most_of_uid);
    pthread_mutex_unlock(&f->lock);
}

static struct tk_share *find_or_add(struct tk_inflight *f, uid_t uid)
{
    struct tk_share *s = f->shares;

    while (s && s->uid != uid)
        s = s->next;
    if (s)
        return s;
    s = calloc(1, sizeof(*s));
    if (s) {
        s->uid = uid;
        s->next = f->shares;
        f->shares = s;
    }
    return s;
}

struct tk_share *tk_inflight_join(struct tk_inflight *f, uid_t uid)
{
    struct tk_share *s;

    pthread_mutex_lock(&f->lock);
    s = find_or_add(f, uid);
    if (s)
        s->users++;
    pthread_mutex_unlock(&f->lock);
    return s;
}

void tk_inflight_leave(struct tk_inflight *f, struct tk_share *share)
{
    struct tk_share **at = &f->shares;

    pthread_mutex_lock(&f->lock);
    if (--share->users == 0) {
        while (*at != share)
            at = &(*at)->next;
        *at = share->next;
        free(share);
    }
    pthread_mutex_unlock(&f->lock);
}

void tk_inflight_charge(struct tk_inflight *f, struct tk_share *share, size_t *charged,
                        size_t bytes)
{
    int64_t more = (int64_t)bytes - (int64_t)*charged;

    if (more == 0)
        return;
    *charged = bytes;
    (void)__atomic_add_fetch(&f->bytes, more, __ATOMIC_RELAXED);
    pthread_mutex_lock(&f->lock);
    f->held += capped(share->bytes + more, f->most) - capped(share->bytes, f->most);
    share->bytes += more;
    pthread_mutex_unlock(&f->lock);
}

enum tk_limit tk_inflight_full(struct tk_inflight *f, const struct tk_share *share, int64_t more,
                               size_t frame_size, const struct tk_limits *limits)
{
    int64_t room = limits->max_inflight_bytes, most = limits->max_inflight_bytes_per_uid;
    int64_t own, others;

    if (tk_inflight_get(f) + more <= capped(room, most)) /* nearly always: no lock for it */
        return TK_LIMIT_COUNT;
    pthread_mutex_lock(&f->lock);
    own = share->bytes + more;
    others = f->held - capped(share->bytes, f->most);
    pthread_mutex_unlock(&f->lock);
    if (frame_size < TK_SHORT_FRAME)
        room += room / TK_RESERVE_PART;
    if (own + others > room)
        return TK_LIMIT_max_inflight_bytes;
    return own > most ? TK_LIMIT_max_inflight_bytes_per_uid : TK_LIMIT_COUNT;
}
