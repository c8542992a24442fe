/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits of a request outside its history. A fix notes them; an answer tells them in one of three
 * ways:
 *
 *     tk_emit_request_operations()   as operations of a patch of the body
 *     tk_emit_request_members()      as members of the body that is written anew
 *     tk_emit_set()                  as what the caller has to set, by pointer
 *
 * They are no lines of the report, and they don't make a history a changed one.
 */
#ifndef TK_RULES_EDIT_REQUEST_CHANGE_H
#define TK_RULES_EDIT_REQUEST_CHANGE_H

#include "request/view.h"
#include "rules/edit/edit.h"
#include "value/splice.h"

struct tk_request_change {
    struct tk_str pointer; /* the place, from the body on: "/thinking/block_binding" */
    struct tk_str value;   /* what it has to be, encoded */
    bool replaces;         /* the place has a value */
    bool holds;            /* which is that one: only tk_emit_set() tells it */
    struct tk_str member;  /* the body's own member with the place in it: "thinking" */
    struct tk_str whole;   /* that member with the change made, encoded */
    struct tk_str beta;    /* the value that the header needs with it; p NULL: none */
    const struct tk_request_view *after; /* the request with the change made */
    struct tk_request_change *next;
};

/* Notes a change after all others. Members must differ. Returns 0 or -ENOMEM. */
int tk_edit_request(struct tk_edits *e, struct tk_request_change change);

/* Returns true if the body has to be another one. */
bool tk_request_changes(const struct tk_edits *e);

/* Returns the request with all changes made, or `before` if there is none. */
const struct tk_request_view *tk_request_after(const struct tk_edits *e,
                                               const struct tk_request_view *before);

/* Writes operations into a list that is open. */
void tk_emit_request_operations(struct tk_writer *w, const struct tk_edits *e);

/* Fills changes for tk_write_with_changes(). Returns how many: at most TK_REQUEST_MEMBERS. */
size_t tk_emit_request_members(const struct tk_edits *e,
                               struct tk_member_change ret[TK_REQUEST_MEMBERS]);

/* Writes the members `set`, and `betas` if a change needs any; without a change nothing. */
void tk_emit_set(struct tk_writer *w, const struct tk_edits *e);

#endif
