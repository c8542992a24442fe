/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a request: the members of its body other than the history. A provider's reader fills
 * the view once for each request; rules and operations look members up here.
 *
 *     {"model": ..., "system": [...], "tools": [...], "thinking": {...}, "messages": [...]}
 *
 * The view has what every provider has, wherever its body keeps it. What only one provider's rules read is in a
 * struct of that provider, `own`.
 */
#ifndef TK_REQUEST_VIEW_H
#define TK_REQUEST_VIEW_H

#include "value/doc.h"

/* A tool that the request defines. Members are nodes of the body's document; TK_NO_NODE: absent. */
struct tk_request_tool {
    uint32_t node; /* the definition itself */
    uint32_t name; /* a set of tools has none */
};

struct tk_request_view {
    struct tk_val body;                  /* absent: the request consists of the history alone */
    struct tk_val model;                 /* the model's name as the body says it */
    struct tk_val tool_list;             /* the list that defines tools */
    const struct tk_request_tool *tools; /* in their order */
    uint32_t tool_count;
    const void *own; /* NULL: every member of it is absent */
};

/* The view of an absent body: every member is absent. */
extern const struct tk_request_view tk_no_request;

static inline struct tk_val tk_request_val(const struct tk_request_view *v, uint32_t node)
{
    return (struct tk_val){v->body.doc, node};
}

/* Returns the size of the body in bytes, as it was sent; 0 if there is none. */
static inline size_t tk_request_size(const struct tk_request_view *v)
{
    return tk_exists(v->body) ? tk_span(v->body).n : 0;
}

/* Fills a view of a body with its model and the tools of a list, which may be absent. name_of() returns the name of a
 * definition, or absent. Returns 0 or -ENOMEM. */
int tk_request_read(struct tk_request_view *ret, struct tk_val body, struct tk_val model,
                    struct tk_val tool_list, struct tk_val (*name_of)(struct tk_val definition),
                    struct tk_arena *arena);

#endif
