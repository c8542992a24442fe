/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The settings of the server: one immutable, reference-counted snapshot that all threads share. A
 * reload makes a new one and gives it to every thread, so no thread sees half of a change.
 *
 * All limits are rows of one list. The struct's fields, the configuration keys, their ranges and
 * defaults, `info`, the hit counters of `stats` and --help are made from it.
 */
#ifndef TK_NET_SETTINGS_H
#define TK_NET_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "net/clock.h"

enum tk_unit {
    TK_UNIT_COUNT,
    TK_UNIT_BYTES,
    TK_UNIT_SECONDS, /* kept in nanoseconds */
};

/* X(name, unit, minimum, maximum, default, help); a default of 0 is made from other limits */
#define TK_LIMITS(X)                                                                               \
    X(max_frame, BYTES, 1, INT64_C(1) << 30, INT64_C(64) << 20,                                    \
      "largest request; a longer one is refused and skipped")                                      \
    X(max_depth, COUNT, 1, 10000, 256, "nesting of arrays and objects in a request")               \
    X(max_values, COUNT, 1, INT64_C(1) << 28, INT64_C(1) << 20,                                    \
      "scalars, arrays and objects in a request")                                                  \
    X(max_connections, COUNT, 1, 1000000, 1024, "connections at once")                             \
    X(max_connections_per_uid, COUNT, 1, 1000000, 256, "connections at once of one user")          \
    X(max_streams_per_connection, COUNT, 1, 1000000, 64, "open streams of one connection")         \
    X(max_stream_buffer, BYTES, 1, INT64_C(1) << 30, INT64_C(64) << 20,                            \
      "bytes that one stream may be fed in all")                                                   \
    X(max_inflight_bytes, BYTES, 1, INT64_C(1) << 40, INT64_C(256) << 20,                          \
      "frames, unsent answers with the memory that they keep, and streams, of all together")       \
    X(max_inflight_bytes_per_uid, BYTES, 1, INT64_C(1) << 40, 0,                                   \
      "the same of one user [half of max_inflight_bytes]")                                         \
    X(max_answer, BYTES, 1024, INT64_C(1) << 40, INT64_C(256) << 20,                               \
      "largest answer; a request for a longer one is refused")                                     \
    X(max_memory, BYTES, 65536, INT64_C(1) << 40, INT64_C(512) << 20,                              \
      "what one request may make in memory; none more than 64 MiB and 64 times its own size")      \
    X(handshake_timeout, SECONDS, TK_MILLISECOND, 86400 * TK_SECOND, 10 * TK_SECOND,               \
      "from accept to the first byte")                                                             \
    X(frame_timeout, SECONDS, TK_MILLISECOND, 86400 * TK_SECOND, 30 * TK_SECOND,                   \
      "from the first to the last byte of a request; also for an answer read below 64 KiB/s")      \
    X(idle_timeout, SECONDS, TK_MILLISECOND, 30 * 86400 * TK_SECOND, 300 * TK_SECOND,              \
      "without a byte in either direction")                                                        \
    X(request_timeout, SECONDS, TK_MILLISECOND, 3600 * TK_SECOND, 5 * TK_SECOND,                   \
      "from a request's last byte to its answer")                                                  \
    X(drain_timeout, SECONDS, 0, 3600 * TK_SECOND, 20 * TK_SECOND,                                 \
      "from SIGTERM until connections are cut off")                                                \
    X(backlog, COUNT, 1, 65535, 1024, "connections that wait to be accepted")

#define TK_LIMIT_ENUM(name, unit, min, max, def, help) TK_LIMIT_##name,
enum tk_limit {
    TK_LIMITS(TK_LIMIT_ENUM) TK_LIMIT_COUNT
};
#undef TK_LIMIT_ENUM

#define TK_LIMIT_FIELD(name, unit, min, max, def, help) int64_t name;
struct tk_limits {
    TK_LIMITS(TK_LIMIT_FIELD)
};
#undef TK_LIMIT_FIELD

struct tk_limit_row {
    const char *name;
    enum tk_unit unit;
    int64_t min, max, def;
    size_t offset; /* of the field in struct tk_limits */
    const char *help;
};

extern const struct tk_limit_row tk_limit_rows[TK_LIMIT_COUNT];

int64_t tk_limit_get(const struct tk_limits *limits, enum tk_limit limit);

/* A list of uids or gids. */
struct tk_id_list {
    bool set; /* false: the list admits everybody */
    size_t count;
    uint32_t *ids; /* ascending */
};

bool tk_id_list_has(const struct tk_id_list *list, uint32_t id);

/* Requests about which the log says what was repaired. */
enum tk_log_repairs {
    TK_LOG_REPAIRS_NONE,
    TK_LOG_REPAIRS_CHANGED, /* those with edits, and refused ones: no allowed edit was enough */
    TK_LOG_REPAIRS_ALL,
    TK_LOG_REPAIRS_COUNT,
};

extern const char *const tk_log_repairs_names[TK_LOG_REPAIRS_COUNT];

struct tk_settings {
    struct tk_limits limits;
    struct tk_id_list allow_uids, allow_gids;
    char *socket, *control; /* paths */
    char *socket_group;     /* NULL: the default one, if it exists */
    char *http;             /* address for monitoring; NULL: none */
    bool http_public;       /* it may be one that other machines reach */
    mode_t socket_mode;
    int log_level;
    int log_repairs; /* enum tk_log_repairs */
    int64_t workers;
    bool from_file; /* there was a configuration */
    int references; /* stays last; atomic */
};

/* Returns the defaults with one reference; paths are NULL. NULL if out of memory. */
struct tk_settings *tk_settings_new(void);

/* Sets limits that were not given and whose default depends on other limits. */
void tk_settings_complete(struct tk_settings *settings);

/* Returns a copy with one reference, or NULL if out of memory. */
struct tk_settings *tk_settings_copy(const struct tk_settings *settings);

struct tk_settings *tk_settings_ref(struct tk_settings *settings);

/* Drops a reference; NULL is allowed. */
void tk_settings_unref(struct tk_settings *settings);

#endif
