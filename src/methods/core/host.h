/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The interface between the core and the daemon: callbacks by which health, stats and info ask the
 * process; errors that the transport sends without a request (a frame that is too large, too many
 * connections); and counters. Programs that embed the library need none of it: without a host,
 * `health` and `stats` answer method_not_found.
 */
#ifndef TK_METHODS_CORE_HOST_H
#define TK_METHODS_CORE_HOST_H

#include "methods/core/errors.h"
#include "turnkeeper/turnkeeper.h"
#include "value/writer.h"

/* The formats of `stats` that monitoring programs read; TK_EXPOSITION_NONE is the result map. */
enum tk_exposition_format {
    TK_EXPOSITION_NONE,
    TK_EXPOSITION_PROMETHEUS,  /* Prometheus' text format 0.0.4 */
    TK_EXPOSITION_OPENMETRICS, /* OpenMetrics 1.0 */
};

struct tk_host {
    void *arg;
    void (*health)(void *arg, struct tk_writer *w); /* writes the whole result map */
    void (*stats)(void *arg, struct tk_writer *w);  /* writes the whole result map */
    /* stats: makes a text that free() takes, of *ret_size bytes; NULL without memory */
    char *(*metrics)(void *arg, enum tk_exposition_format format, size_t *ret_size);
    void (*limits)(void *arg, struct tk_writer *w); /* info: writes the map of all limits by name */
};

/*
 * How a daemon answers one call: the options that every program may give, and what only a daemon
 * decides.
 */
struct tk_serving {
    tk_call_options options; /* its `size` isn't read */
    bool control;            /* only ping, health, stats and info exist: the control socket */
    bool draining; /* answer `draining`, but for stream.feed and stream.end of open streams */
    bool crowded;  /* no memory to spare: answer `busy`, but for stream.end of open streams */
};

/* Answers one request as tk_call() does. Returns 0, or -ENOMEM when there is no reply. */
int tk_serve(tk_core *core, tk_session *session, const void *request, size_t size,
             const struct tk_serving *serving, tk_reply **ret_reply);

/* Sets the host, which must outlive the core. */
void tk_core_set_host(tk_core *core, const struct tk_host *host);

/* Set new limits, after a reload of the configuration. 0 means the default. */
void tk_core_set_limits(tk_core *core, uint32_t max_depth, uint32_t max_values);
void tk_core_set_stream_limits(tk_core *core, uint64_t max_streams, uint64_t max_stream_buffer);
void tk_core_set_answer_limit(tk_core *core, uint64_t max_answer);
void tk_core_set_memory_limit(tk_core *core, uint64_t max_memory);

/* Return the number of open streams, and the bytes that they hold. */
size_t tk_session_streams(const tk_session *session);
size_t tk_session_held(const tk_session *session);

/*
 * Makes the error reply for bytes that were never parsed as a request (id null, JSON). `limit` and
 * `retry_after_ms` go into error.data if they aren't 0. Returns 0 or -ENOMEM.
 */
int tk_refuse(tk_core *core, enum tk_error_id error, uint64_t limit, uint32_t retry_after_ms,
              tk_reply **ret_reply);

/* Largest size in bytes of an answer of tk_refuse_internal(). */
#define TK_INTERNAL_MAX 320

/*
 * Writes the error `internal` with a correlation id (id null, JSON), for a request that the core
 * couldn't answer: it needs no memory beyond the stack. Returns its size; 0 if `to` is too small,
 * which is a defect.
 */
size_t tk_refuse_internal(uint64_t correlation, char to[TK_INTERNAL_MAX]);

/* Returns the number of methods. A host counts calls in an array by these numbers. */
size_t tk_method_count(void);
const char *tk_method_name(size_t i);
/* Returns the number of the method that has this name, a pointer from tk_reply_get_info();
 * tk_method_count() if none has. */
size_t tk_method_index(const char *name);

/* Return the numbers of violation codes and of edit actions, which `stats` counts. */
size_t tk_code_count(void);
const char *tk_code_name(size_t i);
size_t tk_action_count(void);
const char *tk_action_name(size_t i);

/* Return the number of rules that a refusal can belong to, with "none" as the last one, and their names.
 * A name is NULL if the rule's words aren't known, so that no refusal belongs to it. */
size_t tk_miss_count(void);
const char *tk_miss_name(size_t i);

/* The outcome for the history of a request that had one. */
enum tk_outcome {
    TK_OUTCOME_NONE,     /* no history was judged */
    TK_OUTCOME_CLEAN,    /* it was acceptable as it came */
    TK_OUTCOME_REPAIRED, /* edits made it acceptable */
    TK_OUTCOME_UNSAFE,   /* an error remains */
    TK_OUTCOME_COUNT
};

/* Returns "clean", "repaired" or "unsafe"; "none" for a request without a judged history. */
const char *tk_outcome_name(enum tk_outcome outcome);

/* Largest size in bytes of the parameter `caller`. */
#define TK_CALLER_MAX 64

struct tk_tally {
    const uint32_t *violations; /* tk_code_count() numbers, NULL if there are none */
    const uint32_t *repaired;   /* edits by their codes; NULL if there are none */
    const uint32_t *edits;      /* tk_action_count() numbers, NULL if there are none */
    const char *limit;          /* name of a limit that the request exceeded, NULL if none */
    enum tk_outcome outcome;
    bool missed;   /* the client reported a request that the provider refused */
    unsigned miss; /* number of the rule, below tk_miss_count(); only if `missed` */
};

/* Returns the parameter `caller` of the request; empty if it had none, or a bad one. */
const char *tk_reply_get_caller(const tk_reply *reply);

struct tk_tally tk_reply_get_tally(const tk_reply *reply);

/* Returns the bytes that a reply keeps, without those of the request that it may refer to. */
size_t tk_reply_held(const tk_reply *reply);

/* Returns the `correlation_id` that an `internal` answer gave its client in hex, else 0. */
uint64_t tk_reply_get_correlation(const tk_reply *reply);

#endif
