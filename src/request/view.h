/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a request: the members of its body other than the history. A provider's reader fills
 * the view once for each request, in one pass over the body; rules and operations look members up
 * here.
 *
 *     {"model": ..., "system": [...], "tools": [...], "thinking": {...}, "messages": [...]}
 *
 *     tk_request_at(view, TK_REQUEST_SYSTEM)   the value, or absent
 *     view->tools, view->markers, view->flags  facts that several rules ask for
 */
#ifndef TK_REQUEST_VIEW_H
#define TK_REQUEST_VIEW_H

#include "value/doc.h"

/* Members of a body, whatever a provider calls them. */
enum tk_request_member {
    TK_REQUEST_MODEL,
    TK_REQUEST_SYSTEM,
    TK_REQUEST_TOOLS,
    TK_REQUEST_TOOL_CHOICE,
    TK_REQUEST_SERVERS, /* servers whose tools the provider calls itself */
    TK_REQUEST_CONTAINER,
    TK_REQUEST_THINKING,
    TK_REQUEST_CONTEXT_MANAGEMENT,
    TK_REQUEST_MARKER, /* the body's own cache marker */
    TK_REQUEST_BETAS,  /* values of the beta header that the body carries itself */
    TK_REQUEST_OUTPUT_CONFIG,
    TK_REQUEST_COMPACTION,
    TK_REQUEST_FALLBACKS,
    TK_REQUEST_FALLBACK_CREDIT,
    TK_REQUEST_THREAD,
    TK_REQUEST_MEMBERS,
};

/* Flags of a view. */
enum {
    TK_REQUEST_THINKS = 1 << 0,           /* thinking is on */
    TK_REQUEST_THINKS_BY_BUDGET = 1 << 1, /* thinking is on with a token budget, not adaptive */
    TK_REQUEST_COMPACTS = 1 << 2,         /* has the edit strategy that compaction blocks require */
    TK_REQUEST_COMPACT_EDIT = 1 << 3,     /* context_management has an edit that compacts */
    TK_REQUEST_CONTEXT_EDIT = 1 << 4,     /* context_management has an edit of another kind */
    TK_REQUEST_THINKS_NOT = 1 << 5,       /* thinking is switched off, not only left out */
};

/* A definition in `tools`. Members are nodes of the definition's document; TK_NO_NODE: absent. */
struct tk_request_tool {
    uint32_t node;    /* the definition itself */
    uint32_t name;    /* a set of tools has none */
    uint32_t type;    /* absent: a function of the client */
    uint32_t callers; /* who may call the tool: the model, code that the provider runs */
    uint32_t server;  /* of a set of tools: the server that has them */
    bool marked;      /* carries a cache marker */
    bool deferred;    /* hidden from the model until it searches for the tool */
};

struct tk_request_view {
    struct tk_val body; /* absent: the request consists of the history alone */
    struct tk_val at[TK_REQUEST_MEMBERS];
    /* how the provider treats thinking blocks that don't match their conversation */
    struct tk_val binding;
    const struct tk_request_tool *tools; /* absent if `tools` isn't a list */
    uint32_t tool_count;
    /* cache markers of tools and system, in the order of the prompt */
    const struct tk_val *markers;
    uint32_t marker_count;
    uint32_t flags;
};

/* The view of an absent body: every member is absent. */
extern const struct tk_request_view tk_no_request;

static inline struct tk_val tk_request_at(const struct tk_request_view *v,
                                          enum tk_request_member member)
{
    return v->at[member];
}

/* True if a member has a value other than null. */
static inline bool tk_request_has(const struct tk_request_view *v, enum tk_request_member member)
{
    return tk_exists(v->at[member]) && !tk_is(v->at[member], TK_NULL);
}

static inline struct tk_val tk_request_val(const struct tk_request_view *v, uint32_t node)
{
    return (struct tk_val){v->body.doc, node};
}

/* Returns the size of the body in bytes, as it was sent; 0 if there is none. */
static inline size_t tk_request_size(const struct tk_request_view *v)
{
    return tk_exists(v->body) ? tk_span(v->body).n : 0;
}

/* Fills the members of a view. names: what the provider calls each member; `.p == NULL`: it has no
 * such member. */
void tk_request_read(struct tk_request_view *ret, struct tk_val body,
                     const struct tk_str names[TK_REQUEST_MEMBERS]);

#endif
