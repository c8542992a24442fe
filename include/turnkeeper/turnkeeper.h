/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libturnkeeper: keeps LLM conversation history replayable.
 *
 * Bytes in, bytes out. The library opens no file, starts no thread and keeps no global state. Only
 * the tk_deadline_ functions read a clock.
 *
 * A program that has the body of a request to a provider, and wants one back that the provider
 * takes:
 *
 *     tk_core *core = tk_core_new(NULL);
 *     tk_reply *reply;
 *
 *     if (tk_repair_body(core, body, size, "{\"provider\":\"anthropic\"}", NULL, &reply) == 0) {
 *         const tk_error *error = tk_reply_error(reply);
 *
 *         if (error)
 *             ... error->name, error->message ...
 *         else
 *             send(tk_reply_body(reply, &size), size);
 *         tk_reply_free(reply);
 *     }
 *     tk_core_free(core);
 *
 * All else is tk_call(): a request is one JSON-RPC 2.0 document in JSON or msgpack, exactly what
 * travels in a frame of the daemon's socket (PROTOCOL.md), and the reply is what would travel back.
 *
 * Threads: a tk_core and all that was made from it belong to one thread at a time. Any number of
 * cores may exist at the same time. tk_deadline_stop() is for other threads.
 *
 * Lifetime: a reply lives until tk_reply_free(), however many calls follow, and may outlive its
 * session. Its core must outlive it. What functions return about a reply lives as long as the reply.
 *
 * Versions: from 1.0 on, libturnkeeper.so.1 gets new functions and new members, and loses none;
 * before 1.0 a minor release may change this header, and CHANGELOG.md says how. A struct that a
 * program makes begins with its `size`, which is sizeof as the program was compiled: the library
 * takes the members that came later as 0, the default of each. A program that is newer than the
 * library is refused if it sets a member that the library doesn't know. The library makes the
 * structs that it returns, and adds members at their ends.
 *
 * Names: functions and types begin with tk_, macros with TK_ or TURNKEEPER_. (The names of Tcl's
 * toolkit begin with Tk_.) <sys/uio.h> is included for struct iovec: an answer is a list of pieces
 * that writev() and sendmsg() take as it is.
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

/*
 * The release of this header. tk_version() is the release of the library that runs. NUMBER has 8
 * bits each for major, minor and patch, and is for #if.
 */
#define TURNKEEPER_VERSION        "0.2.0~dev"
#define TURNKEEPER_VERSION_NUMBER 0x000200

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

/* Members of 0 mean the default in brackets. */
typedef struct tk_options {
    size_t size;            /* sizeof(tk_options) */
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
    uint64_t max_stream_buffer; /* bytes that one stream keeps [64 MiB] */
    uint64_t max_streams;       /* open streams of one session [64] */
} tk_options;

/* The defaults: tk_options options = TK_OPTIONS_INIT; options.max_depth = 16; */
#define TK_OPTIONS_INIT                                                                            \
    {                                                                                              \
        sizeof(tk_options), {NULL, NULL}, 0, 0, {0, 0}, 0, 0, 0, 0                                 \
    }

/* Bits of tk_call_options.flags. */
#define TK_CALL_JSON_ONLY UINT64_C(1) /* refuse msgpack (`codec_unknown`), as line mode does */

/* Options of one call. Members of 0 mean the default. */
typedef struct tk_call_options {
    size_t size; /* sizeof(tk_call_options) */
    /*
     * Polled now and then by the thread that calls; true ends the call with the error
     * `deadline_exceeded`. timeout_ms is the request's own `timeout_ms`, 0 where it has none.
     */
    bool (*cancelled)(void *opaque, uint32_t timeout_ms);
    void *opaque;
    uint64_t flags; /* TK_CALL_... */
} tk_call_options;

#define TK_CALL_OPTIONS_INIT                                                                       \
    {                                                                                              \
        sizeof(tk_call_options), NULL, NULL, 0                                                     \
    }

/*
 * A time limit for calls. Pass tk_deadline_passed() as `cancelled` and a tk_deadline as `opaque`;
 * it must live as long as the call, and as long as another thread may stop it.
 *
 *     tk_deadline deadline = TK_DEADLINE_INIT;
 *     tk_call_options options = TK_CALL_OPTIONS_INIT;
 *
 *     options.cancelled = tk_deadline_passed;
 *     options.opaque = &deadline;
 *     tk_deadline_start(&deadline, 250);
 *     tk_call(core, NULL, request, size, &options, &reply);
 *
 * The members are the library's: only its functions read and write them.
 */
typedef struct tk_deadline {
    int64_t started_ns;
    uint32_t limit_ms;
    uint32_t stopped;
    uint64_t reserved[4];
} tk_deadline;

#define TK_DEADLINE_INIT                                                                           \
    {                                                                                              \
        0, 0, 0,                                                                                   \
        {                                                                                          \
            0, 0, 0, 0                                                                             \
        }                                                                                          \
    }

/* Outcome of a request, for counters; holds no content of it. The texts are constants. */
typedef struct tk_reply_info {
    const char *method; /* name from the method table, NULL where none was found */
    const char *error;  /* error name as in `error.data.name`, NULL on success */
    const char
        *outcome; /* of the history: "clean", "repaired" or "unsafe"; "none": none was judged */
    bool notification; /* nothing is to be sent */
} tk_reply_info;

/* The error that a reply is. It has no content of the history. */
typedef struct tk_error {
    const char *name;    /* a constant: programs tell errors apart by it ("unsafe_history") */
    const char *message; /* a sentence for people */
    const char *pointer; /* RFC 6901, into the request: "/params/messages/3"; NULL if it is about no
                            place */
    int32_t code;        /* JSON-RPC's number */
    bool retryable;      /* the same request may succeed later */
} tk_error;

/*
 * Makes a core. options may be NULL. Returns NULL when there is no memory, or if `size` or a member
 * beyond what the library knows isn't right, which is a defect of the program.
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
 * Returns 0; -ENOMEM when not even an error reply could be built; -EINVAL if the options' size or a
 * flag isn't one that the library knows.
 */
TK_PUBLIC int tk_call(tk_core *core, tk_session *session, const void *request, size_t size,
                      const tk_call_options *options, tk_reply **ret_reply);

/* Returns the reply's bytes, in order: *ret_n pieces (0 for notifications) that live as long as the
 * reply. */
TK_PUBLIC const struct iovec *tk_reply_iov(const tk_reply *reply, size_t *ret_n);

/* Returns the sum of the pieces' sizes in bytes. */
TK_PUBLIC size_t tk_reply_size(const tk_reply *reply);

/* Returns the error that the reply is, NULL if it is a result. */
TK_PUBLIC const tk_error *tk_reply_error(const tk_reply *reply);

/* Returns the outcome to count. */
TK_PUBLIC const tk_reply_info *tk_reply_get_info(const tk_reply *reply);

/*
 * Repairs the body of a request to a provider, a JSON document: calls `repair` with it.
 *
 * params is a JSON object with the other parameters of `repair`, such as `provider`, `policy` and
 * `target` (PROTOCOL.md 5.2), NUL-terminated, or NULL. `request`, `messages` and `return` must not
 * be among them. options may be NULL. The reply has a copy of the body: the caller may free its own
 * at once.
 *
 * Returns what tk_call() does, and -EINVAL also if params isn't an object. On 0 the reply is an
 * error, or has the body that tk_reply_body() returns. In pointers and in the answer
 * that tk_reply_iov() returns, the body is /params/request.
 */
TK_PUBLIC int tk_repair_body(tk_core *core, const void *body, size_t size, const char *params,
                             const tk_call_options *options, tk_reply **ret_reply);

/*
 * Returns the repaired body of a reply of tk_repair_body() and its size. All bytes that no edit
 * touches are those of the body that was passed. Returns NULL, and a size of 0, if the reply is
 * an error or another function's.
 */
TK_PUBLIC const void *tk_reply_body(const tk_reply *reply, size_t *ret_size);

/* Frees the reply. NULL is fine. */
TK_PUBLIC void tk_reply_free(tk_reply *reply);

/*
 * Begins the time of the next call: `limit_ms` milliseconds from now, or less if the request's own
 * `timeout_ms` says so; 0 means no limit but that one. A deadline that was stopped stays so.
 */
TK_PUBLIC void tk_deadline_start(tk_deadline *deadline, uint32_t limit_ms);

/* Ends the call that polls the deadline, and each later one, at its next poll. Any thread may do it. */
TK_PUBLIC void tk_deadline_stop(tk_deadline *deadline);

/*
 * Returns true if `deadline`, a tk_deadline, is stopped or its time is over, or `timeout_ms` of the
 * request (0: none). It is for `cancelled` of tk_call_options.
 */
TK_PUBLIC bool tk_deadline_passed(void *deadline, uint32_t timeout_ms);

/* Returns the version of the library that runs, "1.2.3"; "1.3.0~dev" comes before "1.3.0". */
TK_PUBLIC const char *tk_version(void);

#ifdef __cplusplus
}
#endif
#endif
