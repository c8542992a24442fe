/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A provider: one row of tables and functions. `rules` is what the engine needs of it; the rest is what methods,
 * operations and streams need. No provider knows another one.
 */
#ifndef TK_PROVIDERS_PROVIDER_H
#define TK_PROVIDERS_PROVIDER_H

#include "engine/ruleset.h"
#include "request/view.h"

struct tk_beta_rules;
struct tk_fit_rules;
struct tk_request_change;
struct tk_seal_rules;
struct tk_splice_rules;
struct tk_stream_format;
struct tk_tool_rules;
struct tk_writer;

/* Reasons why a turn ended, as far as methods and operations distinguish them. */
enum tk_stop {
    TK_STOP_OTHER,
    TK_STOP_CALLS,      /* the model waits for the results of its calls */
    TK_STOP_PAUSED,     /* the provider continues the turn in its next answer */
    TK_STOP_COMPACTION, /* the turn sums up the history */
    TK_STOP_TRUNCATED,  /* the turn is incomplete */
    TK_STOP_REFUSAL,    /* the model refused to answer, or a filter did */
    TK_STOP_FAILED,     /* the provider gave up: what it has of the turn is of no use */
    TK_STOP_UNFINISHED, /* the model still works on the turn */
};

/* A reason as a provider's answer gives it. */
struct tk_stop_name {
    struct tk_str name; /* `.p == NULL` ends a list */
    uint8_t stop;       /* enum tk_stop */
};

/* A value of the parameter `target.endpoint`. */
struct tk_endpoint_name {
    const char *name;
    enum tk_endpoint endpoint;
};

/*
 * Functions and tables that a provider has no use for are NULL, and then nothing is done. A
 * provider whose rules aren't judged has only `name` and `tools`.
 */
struct tk_provider {
    const char *name;
    struct tk_ruleset rules;
    /* where requests go; the first is the default; ended by `.name == NULL` */
    const struct tk_endpoint_name *endpoints;
    const struct tk_splice_rules *splice;  /* how turns are added, providers/splice.h */
    const struct tk_tool_rules *tools;     /* how lists of tools are merged, providers/tools.h */
    const struct tk_beta_rules *betas;     /* beta values of a request, providers/betas.h */
    const struct tk_fit_rules *fit;        /* how histories are made smaller, providers/fit.h */
    const struct tk_seal_rules *seals;     /* seals of received turns, providers/seal_rules.h */
    const struct tk_stream_format *stream; /* how answers are streamed, stream/format.h */

    /* Fills the view of a request's body. Returns 0 or -ENOMEM. NULL: all members of the view are
     * absent. */
    int (*read_request)(struct tk_request_view *ret, struct tk_val body, struct tk_arena *arena);

    /* Returns why a turn ended, from the reason that the provider's answer gives. NULL: the provider
     * gives none. */
    enum tk_stop (*stop)(struct tk_val reason);

    /* Returns the changes that a repair makes of the request outside its history; NULL: it makes none. */
    const struct tk_request_change *(*request_changes)(const struct tk_judge *j);

    /* Writes members of a repair's answer that only this provider has, before the findings. */
    void (*write_facts)(struct tk_writer *w, const struct tk_repair *r);
};

/* Returns true if the provider's histories may have the shape. */
static inline bool tk_provider_has_shape(const struct tk_provider *p, const struct tk_shape *shape)
{
    for (const struct tk_shape *const *s = p->rules.shapes; s && *s; s++)
        if (*s == shape)
            return true;
    return false;
}

/* Returns why a turn ended; TK_STOP_OTHER if the provider gives no reasons. */
static inline enum tk_stop tk_stop_of(const struct tk_provider *p, struct tk_val reason)
{
    return p->stop ? p->stop(reason) : TK_STOP_OTHER;
}

/* Returns the changes that a repair makes of the request outside its history; NULL: it makes none. */
static inline const struct tk_request_change *tk_request_changes(const struct tk_provider *p,
                                                                 const struct tk_judge *j)
{
    return p->request_changes ? p->request_changes(j) : NULL;
}

/* Returns what the list says about a reason; TK_STOP_OTHER if it isn't listed. */
static inline enum tk_stop tk_stop_named(const struct tk_stop_name *names, struct tk_val reason)
{
    while (names->name.p && !tk_text_is(reason, names->name))
        names++;
    return (enum tk_stop)names->stop;
}

/* Fills the view of a body with the provider's reader. If the body is absent, so is every member.
 * Returns 0 or -ENOMEM. */
static inline int tk_read_request(const struct tk_provider *p, struct tk_val body,
                                  struct tk_arena *arena, struct tk_request_view *ret)
{
    *ret = tk_no_request;
    return p->read_request && tk_exists(body) ? p->read_request(ret, body, arena) : 0;
}

#endif
