/* SPDX-License-Identifier: Apache-2.0 */
/* A session: the streams of one connection, by key. It takes no memory before its first stream. */
#ifndef TK_METHODS_CORE_SESSION_H
#define TK_METHODS_CORE_SESSION_H

#include "methods/core/core.h"

/* A stream under its key. */
struct tk_opened {
    struct tk_opened *next; /* of the same bucket */
    struct tk_stream *stream;
    size_t counted; /* its bytes in the session's sum */
    uint64_t hash;
    size_t key_size;
    char key[];
};

struct tk_session {
    tk_core *core;
    struct tk_opened **buckets; /* their number is a power of two */
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

/* Counts again the bytes that a stream holds. Call it after each use of the stream. */
void tk_session_recount(tk_session *session, struct tk_opened *opened);

#endif
