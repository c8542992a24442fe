/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A site: what a finding blames, or what an edit changed.
 *
 *     TK_SITE_REQUEST   the rest of the request, or one value of it: "/tools/3"
 *     TK_SITE_ENTRY     a message
 *     TK_SITE_PART      a part of a message
 */
#ifndef TK_ENGINE_SITE_H
#define TK_ENGINE_SITE_H

#include "history/history.h"
#include "request/view.h"

enum tk_site_kind {
    TK_SITE_REQUEST,
    TK_SITE_ENTRY,
    TK_SITE_PART,
};

struct tk_site {
    uint32_t entry; /* the message, also of a part; TK_NONE: the request */
    uint32_t part;  /* TK_NONE: the message or the request */
    uint32_t at;    /* of a request: a node of its document; TK_NO_NODE: the request as a whole */
    uint8_t what;   /* enum tk_site_kind */
};

static inline struct tk_site tk_site_request(uint32_t at)
{
    return (struct tk_site){TK_NONE, TK_NONE, at, TK_SITE_REQUEST};
}

/* Returns the site of a message's part, of the message if part is TK_NONE, or of the request as a
 * whole if both are. */
static inline struct tk_site tk_site_of(uint32_t entry, uint32_t part)
{
    enum tk_site_kind what = part != TK_NONE    ? TK_SITE_PART
                             : entry != TK_NONE ? TK_SITE_ENTRY
                                                : TK_SITE_REQUEST;

    return (struct tk_site){entry, part, TK_NO_NODE, (uint8_t)what};
}

/*
 * The last list that was entered on the way to a site of the request: the search for a later element
 * of it goes on from there, so that 10^4 faults in a list of 10^5 tools cost linear time. Initialise
 * `list` with TK_NO_NODE.
 */
struct tk_site_walk {
    uint32_t list;         /* its node */
    uint32_t child, index; /* the element that was passed last */
    struct tk_str pointer; /* from the body to the list */
};

/* Returns the pointer from the request's body to a site of the request; empty for all of it. `.p ==
 * NULL` when out of memory. */
struct tk_str tk_site_pointer(const struct tk_request_view *request, const struct tk_site *site,
                              struct tk_site_walk *walk, struct tk_arena *arena);

#endif
