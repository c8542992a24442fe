/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a request of the Messages API, read in one pass over the body.
 *
 *     tk_request_at(view, TK_REQUEST_SYSTEM)   the value, or absent
 */
#ifndef TK_PROVIDERS_ANTHROPIC_REQUEST_H
#define TK_PROVIDERS_ANTHROPIC_REQUEST_H

#include "request/view.h"

/* Members of a body. */
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

/* Facts that a definition of a tool tells besides its name. Members are nodes of its document; TK_NO_NODE: absent. */
struct tk_definition_facts {
    uint32_t type;    /* absent: a function of the client */
    uint32_t callers; /* who may call the tool: the model, code that the provider runs */
    uint32_t server;  /* of a set of tools: the server that has them */
    bool marked;      /* carries a cache marker */
    bool deferred;    /* hidden from the model until it searches for the tool */
};

/* `own` of the view. */
struct tk_anthropic_request {
    struct tk_val at[TK_REQUEST_MEMBERS];
    /* how the provider treats thinking blocks that don't match their conversation */
    struct tk_val binding;
    const struct tk_definition_facts *facts; /* by index of a tool of the view */
    /* cache markers of tools and system, in the order of the prompt */
    const struct tk_val *markers;
    uint32_t marker_count;
    uint32_t flags;
};

extern const struct tk_anthropic_request tk_no_anthropic_request;

/* Returns the members of a request; all are absent if it has no body. */
static inline const struct tk_anthropic_request *
tk_anthropic_request(const struct tk_request_view *v)
{
    return v->own ? v->own : &tk_no_anthropic_request;
}

static inline struct tk_val tk_request_at(const struct tk_request_view *v,
                                          enum tk_request_member member)
{
    return tk_anthropic_request(v)->at[member];
}

/* True if a member has a value other than null. */
static inline bool tk_request_has(const struct tk_request_view *v, enum tk_request_member member)
{
    return tk_exists(tk_request_at(v, member)) && !tk_is(tk_request_at(v, member), TK_NULL);
}

/* Returns the flags of a request, TK_REQUEST_*. */
static inline uint32_t tk_request_flags(const struct tk_request_view *v)
{
    return tk_anthropic_request(v)->flags;
}

/* Fills the view of a body. Returns 0 or -ENOMEM. */
int tk_anthropic_read_request(struct tk_request_view *ret, struct tk_val body,
                              struct tk_arena *arena);

/* Reads a definition of a tool: an entry of `tools`, or one that a message adds. */
struct tk_request_tool tk_anthropic_read_tool(struct tk_val tool,
                                              struct tk_definition_facts *ret_facts);

/* Takes another value for `thinking`, of any document. */
void tk_anthropic_read_thinking(struct tk_anthropic_request *own, struct tk_val thinking);

#endif
