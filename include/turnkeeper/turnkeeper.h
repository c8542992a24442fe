/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libturnkeeper: keeps LLM conversation history replayable.
 *
 * Bytes in, bytes out. The library opens no file, starts no thread, reads no clock (but in
 * tk_deadline_passed(), for callers who ask for it) and keeps no global state. A request is one JSON-RPC 2.0 document in JSON or msgpack, exactly what
 * travels in a frame of the daemon's socket, and the answer is what would travel back.
 *
 *     tk_core *core = tk_core_new(NULL);
 *     tk_reply *reply;
 *     if (tk_call(core, NULL, request, size, NULL, &reply) == 0) {
 *         ... tk_reply_iov(reply, &n) ...
 *         tk_reply_free(reply);
 *     }
 *     tk_core_free(core);
 *
 * Threads: a tk_core and all that was made from it belong to one thread at a time. Any number
 * of cores may exist at the same time.
 */
#ifndef TURNKEEPER_TURNKEEPER_H
#define TURNKEEPER_TURNKEEPER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TK_PUBLIC __attribute__((visibility("default")))
#else
#define TK_PUBLIC
#endif

/* The wire protocol's number, as `info` gives it. */
#define TK_PROTOCOL 1

typedef struct tk_core tk_core;
typedef struct tk_session tk_session;
typedef struct tk_reply tk_reply;

/*
 * Memory. One function does everything, as in Lua: if ptr is NULL it allocates new_size bytes; if
 * new_size is 0 it frees ptr and returns NULL; else it resizes ptr, its content kept up to the
 * smaller size.
 * old_size is what was asked for before. Returns NULL when there is no memory, ptr is then
 * untouched. Blocks are aligned as malloc()'s are.
 */
typedef struct tk_allocator {
    void *(*resize)(void *opaque, void *ptr, size_t old_size, size_t new_size);
    void *opaque;
} tk_allocator;

/* Zero members mean the default in brackets. */
typedef struct tk_options {
    tk_allocator allocator; /* the C library's if resize is NULL */
    uint32_t max_depth;     /* nesting of arrays and objects [256] */
    uint32_t max_values;    /* scalars, arrays and objects of one request [1048576] */
    uint64_t hash_key[2];   /* secret key of all hash tables; take it from getrandom() where
                               requests come from strangers, and for `redact`, which
                               exists only with such a key [a fixed key] */
    uint64_t max_answer;    /* bytes of one answer; beyond, it is `answer_too_large` [256 MiB] */
    uint64_t max_memory;    /* bytes that one request may make in memory; beyond, it is
                               `request_too_costly`. No request may make more than 64 MiB and 64
                               bytes for each of its own [512 MiB] */
} tk_options;

/* Options of one call. Zeroed members mean the default. */
typedef struct tk_call_options {
    bool json_only; /* refuse msgpack (`codec_unknown`): line mode */
    bool control;   /* only ping, health, stats and info exist: the control socket */
    bool draining;  /* answer `draining`, but for stream.feed and stream.end of open streams */
    bool crowded;   /* no memory to spare: answer `busy`, but for stream.end of open streams */
    /*
     * Polled every now and then; true ends the call with the error `deadline_exceeded`.
     * timeout_ms is the request's own `timeout_ms`, 0 where it has none.
     */
    bool (*cancelled)(void *opaque, uint32_t timeout_ms);
    void *opaque;
} tk_call_options;

/*
 * A time limit for one call: pass tk_deadline_passed() as `cancelled` and a tk_deadline as `opaque`.
 * It must live as long as the call. Zeroed members mean the value in brackets.
 */
typedef struct tk_deadline {
    int64_t started_ns; /* when the request came: CLOCK_MONOTONIC, in nanoseconds */
    uint32_t
        limit_ms; /* milliseconds that any request may take; its `timeout_ms` may lower them [no limit] */
    uint32_t stop; /* another thread may set this to 1: the call then ends at once [0] */
} tk_deadline;

/* Outcome of a request, for counters; holds no content of it. */
typedef struct tk_reply_info {
    const char *method; /* name from the method table, NULL where none was found */
    const char *error;  /* error name as in `error.data.name`, NULL on success */
    bool notification;  /* nothing is to be sent */
} tk_reply_info;

/*
 * Makes a core. options may be NULL. Returns NULL when there is no memory.
 */
TK_PUBLIC tk_core *tk_core_new(const tk_options *options);

/* Frees a core; replies and sessions of it must be gone. NULL is fine. */
TK_PUBLIC void tk_core_free(tk_core *core);

/*
 * A session holds what lives longer than one request (streams). One per connection. NULL when
 * there is no memory. Methods without state work with a NULL session; stream.open and its like
 * don't exist without one.
 */
TK_PUBLIC tk_session *tk_session_new(tk_core *core);
TK_PUBLIC void tk_session_free(tk_session *session);

/*
 * Answers one request. session and options may be NULL.
 *
 * The reply may refer to the request's bytes: keep `request` unchanged until tk_reply_free().
 * Whatever the bytes are, there is a reply (errors are replies, too); *ret_reply is set on 0.
 *
 * Returns 0, or -ENOMEM when not even an error reply could be built.
 */
TK_PUBLIC int tk_call(tk_core *core, tk_session *session, const void *request, size_t size,
                      const tk_call_options *options, tk_reply **ret_reply);

/* Returns the reply's bytes, in order: *ret_n pieces (0 for notifications) that live as long as the
 * reply. */
TK_PUBLIC const struct iovec *tk_reply_iov(const tk_reply *reply, size_t *ret_n);

/* Returns the sum of the pieces' sizes in bytes. */
TK_PUBLIC size_t tk_reply_size(const tk_reply *reply);

/* Returns the outcome to count. The strings are constants. */
TK_PUBLIC tk_reply_info tk_reply_get_info(const tk_reply *reply);

/* Frees the reply. NULL is fine. */
TK_PUBLIC void tk_reply_free(tk_reply *reply);

/*
 * Returns true if `deadline`, a tk_deadline, or the request's own `timeout_ms` (0: none) has passed. Any
 * thread may call it.
 */
TK_PUBLIC bool tk_deadline_passed(void *deadline, uint32_t timeout_ms);

/* Returns the library's version, "1.2.3". */
TK_PUBLIC const char *tk_version(void);

#ifdef __cplusplus
}
#endif
#endif
