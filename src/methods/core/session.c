/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/session.h"

#include <errno.h>

#include "value/hash.h"

#define BUCKETS_MIN 8

static void *resize(const tk_core *core, void *ptr, size_t old_size, size_t new_size)
{
    return core->allocator.resize(core->allocator.opaque, ptr, old_size, new_size);
}

tk_session *tk_session_new(tk_core *core)
{
    tk_session *session = resize(core, NULL, 0, sizeof(*session));

    if (session)
        *session = (tk_session){.core = core};
    return session;
}

void tk_session_free(tk_session *session)
{
    if (!session)
        return;
    for (size_t i = 0; i < session->bucket_count; i++)
        while (session->buckets[i])
            tk_session_remove(session, session->buckets[i]);
    if (session->buckets)
        resize(session->core, session->buckets, session->bucket_count * sizeof(*session->buckets),
               0);
    resize(session->core, session, sizeof(*session), 0);
}

size_t tk_session_streams(const tk_session *session)
{
    return session->count;
}

size_t tk_session_held(const tk_session *session)
{
    return session->held;
}

static uint64_t hash_of(const tk_session *session, struct tk_str key)
{
    return tk_hash(session->core->limits.hash_key, key.p, key.n);
}

static struct tk_opened **bucket_of(const tk_session *session, uint64_t hash)
{
    return &session->buckets[hash & (session->bucket_count - 1)];
}

struct tk_opened *tk_session_find(const tk_session *session, struct tk_str key)
{
    struct tk_opened *o;
    uint64_t hash;

    if (!session || session->count == 0)
        return NULL;
    hash = hash_of(session, key);
    for (o = *bucket_of(session, hash); o; o = o->next)
        if (o->hash == hash && tk_str_eq((struct tk_str){o->key, o->key_size}, key))
            return o;
    return NULL;
}

/* Doubles the buckets if there are as many streams as buckets. Returns 0 or -ENOMEM. */
static int grow(tk_session *session)
{
    size_t count = session->bucket_count ? 2 * session->bucket_count : BUCKETS_MIN;
    tk_session grown = *session;

    if (session->count < session->bucket_count)
        return 0;
    grown.bucket_count = count;
    grown.buckets = resize(session->core, NULL, 0, count * sizeof(*grown.buckets));
    if (!grown.buckets)
        return -ENOMEM;
    memset(grown.buckets, 0, count * sizeof(*grown.buckets));
    for (size_t i = 0; i < session->bucket_count; i++) {
        struct tk_opened *o = session->buckets[i], *next;

        for (; o; o = next) {
            struct tk_opened **bucket = bucket_of(&grown, o->hash);

            next = o->next;
            o->next = *bucket;
            *bucket = o;
        }
    }
    if (session->buckets)
        resize(session->core, session->buckets, session->bucket_count * sizeof(*grown.buckets), 0);
    *session = grown;
    return 0;
}

int tk_session_add(tk_session *session, struct tk_str key, struct tk_stream *stream)
{
    struct tk_opened *o = NULL, **bucket;

    if (grow(session) == 0)
        o = resize(session->core, NULL, 0, sizeof(*o) + key.n);
    if (!o)
        return -ENOMEM;
    *o = (struct tk_opened){.stream = stream, .hash = hash_of(session, key), .key_size = key.n};
    memcpy(o->key, key.p, key.n);
    bucket = bucket_of(session, o->hash);
    o->next = *bucket;
    *bucket = o;
    session->count++;
    tk_session_recount(session, o);
    return 0;
}

void tk_session_remove(tk_session *session, struct tk_opened *opened)
{
    struct tk_opened **at = bucket_of(session, opened->hash);

    while (*at != opened)
        at = &(*at)->next;
    *at = opened->next;
    session->count--;
    session->held -= opened->counted;
    tk_stream_free(opened->stream);
    resize(session->core, opened, sizeof(*opened) + opened->key_size, 0);
}

void tk_session_recount(tk_session *session, struct tk_opened *opened)
{
    size_t held = tk_stream_held(opened->stream) + sizeof(*opened) + opened->key_size;

    session->held += held - opened->counted;
    opened->counted = held;
}
