/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The methods as data: `tk_call` dispatches by this table; `info`, --help and the man page list it.
 * A new method is a row here, its parameters (fields.h says where) and a file with its handler.
 */
#ifndef TK_METHODS_CORE_TABLE_H
#define TK_METHODS_CORE_TABLE_H

#include "methods/params/schema.h"

struct tk_look;
struct tk_request;

enum {
    TK_METHOD_CONTROL = 1, /* also served on the control socket */
    TK_METHOD_HOST = 2,    /* needs a host (host.h); without one the method doesn't exist */
    TK_METHOD_STREAM = 4,  /* works on the session's streams; no timeout ends it */
    TK_METHOD_GOES_ON = 8, /* served on an open stream even while the daemon drains */
    TK_METHOD_FREES = 16,  /* gives memory back: served even when memory is short */
    /* judges no history, so that it takes the same parameters for every provider */
    TK_METHOD_ANY_PROVIDER = 32,
    /* needs a secret key (tk_options.hash_key); without one the method doesn't exist */
    TK_METHOD_KEYED = 64,
};

struct tk_method {
    struct tk_str name;
    const char *help; /* one line, a capital first, no full stop */
    unsigned flags;
    const struct tk_param_shape *params;
    /* Returns the step that a parameter belongs to, by its pointer, or NULL; for methods of several
     * steps. */
    const char *(*stage_of)(struct tk_str pointer);
    /* The parameters that are searched for signs of another format before the handler runs, ended
     * by a row whose `look` is NULL; NULL if none or if the handler looks itself (formats.h). */
    const struct tk_look *looks;
    /*
     * Answers the request (request.h says how). Returns 0 once answered; -ECANCELED becomes
     * `deadline_exceeded`, any other error, and a return without an answer, `internal`.
     */
    int (*handler)(struct tk_request *rq);
};

extern const struct tk_method tk_methods[];
extern const size_t tk_methods_count;

/* The handlers, one file each. */
int tk_method_validate(struct tk_request *rq);
int tk_method_repair(struct tk_request *rq);
int tk_method_repair_turn(struct tk_request *rq);
int tk_method_seal(struct tk_request *rq);
int tk_method_stream_open(struct tk_request *rq);
int tk_method_stream_feed(struct tk_request *rq);
int tk_method_stream_end(struct tk_request *rq);
int tk_method_pair(struct tk_request *rq);
int tk_method_splice(struct tk_request *rq);
int tk_method_tools(struct tk_request *rq);
int tk_method_fit(struct tk_request *rq);
int tk_method_prepare(struct tk_request *rq);
int tk_method_explain(struct tk_request *rq);
int tk_method_report_miss(struct tk_request *rq);
int tk_method_detect(struct tk_request *rq);
int tk_method_redact(struct tk_request *rq);
int tk_method_ping(struct tk_request *rq);
int tk_method_health(struct tk_request *rq);
int tk_method_stats(struct tk_request *rq);
int tk_method_info(struct tk_request *rq);

const char *tk_prepare_stage(struct tk_str pointer);

/* The shapes of their parameters. */
extern const struct tk_param_shape tk_params_validate;
extern const struct tk_param_shape tk_params_repair;
extern const struct tk_param_shape tk_params_repair_turn;
extern const struct tk_param_shape tk_params_seal;
extern const struct tk_param_shape tk_params_stream_open;
extern const struct tk_param_shape tk_params_stream_feed;
extern const struct tk_param_shape tk_params_stream_end;
extern const struct tk_param_shape tk_params_pair;
extern const struct tk_param_shape tk_params_splice;
extern const struct tk_param_shape tk_params_tools;
extern const struct tk_param_shape tk_params_fit;
extern const struct tk_param_shape tk_params_prepare;
extern const struct tk_param_shape tk_params_explain;
extern const struct tk_param_shape tk_params_report_miss;
extern const struct tk_param_shape tk_params_detect;
extern const struct tk_param_shape tk_params_redact;
extern const struct tk_param_shape tk_params_ping;
extern const struct tk_param_shape tk_params_stats;
extern const struct tk_param_shape tk_params_plain; /* timeout_ms alone */

/* Fields whose words `info` lists. */
extern const struct tk_field tk_field_provider;
extern const struct tk_field tk_field_dialect;
extern const struct tk_field *const tk_policy_fields[]; /* `base` first, ended by NULL */

#endif
