/* SPDX-License-Identifier: Apache-2.0 */
/* A session: the streams of one connection, by key. It takes memory for the first of them. */
#ifndef TK_METHODS_CORE_SESSION_H
#define TK_METHODS_CORE_SESSION_H

#include "methods/core/core.h"

/* A stream under its key. */
struct tk_opened {
    struct tk_opened *next; /* in its bucket */
    struct tk_stream *stream;
    size_t counted; /* bytes of it in the session's sum */
    uint64_t hash;
    size_t key_size;
    char key[];
};

struct tk_session {
    tk_core *core;
    struct tk_opened **buckets; /* a power of two of them */
    size_t bucket_count, count;
    size_t held; /* bytes of all streams, as of tk_session_recount() */
};

/* Returns the stream of that key, or NULL if there is none or no session. */
struct tk_opened *tk_session_find(const tk_session *session, struct tk_str key);

/* Adds a stream under a free key and takes ownership of it. Returns 0, or -ENOMEM: then the caller
 * still owns it. */
int tk_session_add(tk_session *session, struct tk_str key, struct tk_stream *stream);

/* Frees a stream and its key. */
void tk_session_remove(tk_session *session, struct tk_opened *opened);

/* Counts the bytes that a stream holds again; call it after each work on the stream. */
void tk_session_recount(tk_session *session, struct tk_opened *opened);

#endif
