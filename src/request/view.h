/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a request: what its body says besides the history. A provider's reader fills the view
 * once a request, in one pass over the body's members; rules and operations look members up here.
 *
 *     {"model": ..., "system": [...], "tools": [...], "thinking": {...}, "messages": [...]}
 *
 *     tk_request_at(view, TK_REQUEST_SYSTEM)   the value, or absent
 *     view->tools, view->markers, view->flags  what rules would otherwise walk for, again and again
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
    TK_REQUEST_SERVERS, /* whose tools the provider calls itself */
    TK_REQUEST_CONTAINER,
    TK_REQUEST_THINKING,
    TK_REQUEST_CONTEXT_MANAGEMENT,
    TK_REQUEST_MARKER, /* the body's own cache marker */
    TK_REQUEST_BETAS,  /* values of the header that the body has itself */
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
    TK_REQUEST_THINKS_BY_BUDGET = 1 << 1, /* in the manual way: up to a budget */
    TK_REQUEST_COMPACTS = 1 << 2,         /* has the strategy that compaction blocks need */
    TK_REQUEST_COMPACT_EDIT = 1 << 3,     /* context_management has an edit that compacts */
    TK_REQUEST_CONTEXT_EDIT = 1 << 4,     /* or one of another kind */
};

/* A definition in `tools`. */
struct tk_request_tool {
    uint32_t node; /* of the body's document */
    uint32_t name; /* TK_NO_NODE: it has none */
    bool deferred; /* the model doesn't see it before it looks for it */
};

struct tk_request_view {
    struct tk_val body; /* absent: the history came alone */
    struct tk_val at[TK_REQUEST_MEMBERS];
    struct tk_val binding;               /* of thinking: what becomes of blocks that don't fit */
    const struct tk_request_tool *tools; /* if `tools` is a list */
    uint32_t tool_count;
    const struct tk_val *markers; /* cache markers of tools and system, in the prompt's order */
    uint32_t marker_count;
    uint32_t flags;
};

/* A view of nothing. */
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

/* Fills the members of a view, by a provider's names for them; p NULL: it has no such member. */
void tk_request_read(struct tk_request_view *ret, struct tk_val body,
                     const struct tk_str names[TK_REQUEST_MEMBERS]);

#endif
