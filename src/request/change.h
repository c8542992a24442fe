/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Changes of a request outside its history: a list, which a provider's rules make. An answer contains them in one of
 * three forms:
 *
 *     tk_write_request_operations()   as operations of a patch of the body
 *     tk_request_members()            as members of the body that is written anew
 *     tk_write_request_values()       as values that the caller has to set, by pointer
 *
 * They write no line of the report, and a history doesn't count as changed because of them.
 */
#ifndef TK_REQUEST_CHANGE_H
#define TK_REQUEST_CHANGE_H

#include "request/view.h"
#include "value/splice.h"

/* At most so many changes are written as members. */
enum {
    TK_REQUEST_CHANGES_MAX = 4,
};

struct tk_request_change {
    struct tk_str pointer; /* from the body to the place: "/thinking/block_binding" */
    struct tk_str value;   /* its new value, encoded */
    bool replaces;         /* the place has a value already */
    bool holds; /* and it is this value: then only tk_write_request_values() writes the change */
    struct tk_str member; /* the member of the body that contains the place: "thinking" */
    struct tk_str whole;  /* that member after the change, encoded */
    struct tk_str beta;   /* the value that the beta header needs with it; `.p == NULL`: none */
    const struct tk_request_view *after; /* the request after the change */
    struct tk_request_change *next;
};

/* Adds a change to the end of a list. No two changes may be of one member. Returns 0 or -ENOMEM. */
int tk_request_change_add(struct tk_request_change **list, struct tk_arena *arena,
                          struct tk_request_change change);

/* Returns true if a change of the list alters the body. */
bool tk_request_is_changed(const struct tk_request_change *list);

/* Returns the request after all changes; `before` if there is none. */
const struct tk_request_view *tk_request_after(const struct tk_request_change *list,
                                               const struct tk_request_view *before);

/* Writes the changes as operations into an open list. */
void tk_write_request_operations(struct tk_writer *w, const struct tk_request_change *list);

/* Fills changes for tk_write_with_changes(). Returns how many. */
size_t tk_request_members(const struct tk_request_change *list,
                          struct tk_member_change ret[TK_REQUEST_CHANGES_MAX]);

/* Writes the member `set`, and `betas` if a change needs any; nothing if there is no change. */
void tk_write_request_values(struct tk_writer *w, const struct tk_request_change *list);

#endif
