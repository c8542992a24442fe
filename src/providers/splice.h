/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a provider that splice needs (OPERATIONS.md part A): the form of a call, of its result
 * and of their members. The provider's own shape says the rest.
 */
#ifndef TK_PROVIDERS_SPLICE_H
#define TK_PROVIDERS_SPLICE_H

#include "history/history.h"
#include "value/digest.h"
#include "value/writer.h"

/* The member `splice` of a provider's row. */
struct tk_splice_rules {
    const char *result_id;      /* member of a result: the id of its call */
    const char *result_content; /* member of a result: what the tool returned */
    const char *toolset;        /* member of a call and its result: the toolset of the tool */
    /* member of a request and of its answer: the container in which the provider ran code; NULL: the
     * provider has no containers */
    const char *container;

    /* Returns the member of a request which says that its history is at the provider; absent: the
     * request has its whole history. */
    struct tk_val (*continues)(struct tk_val request);

    /* Each returns true for a block of the client's: a call, a result. */
    bool (*is_call)(struct tk_val block);
    bool (*is_result)(struct tk_val block);
    /* Returns the text of a text block; absent if it isn't one. */
    struct tk_val (*text)(struct tk_val block);
    /* Returns true for ids that the provider gives to calls that it runs itself. */
    bool (*is_provider_id)(struct tk_str id);
    /* Returns true if a client's call was made by code that runs at the provider. */
    bool (*is_called_by_code)(const struct tk_part *call);
    /* Returns true for a block after which another model continued the turn. */
    bool (*is_seam)(const struct tk_part *block);
    /* Returns true for a block other than thinking and calls that the next model didn't see. */
    bool (*is_dropped_before_seam)(const struct tk_part *block);
    /* Returns true if a message without blocks still has a meaning. */
    bool (*has_meaning)(struct tk_val message);

    /* Returns a digest that is equal for blocks with the same meaning. */
    struct tk_digest (*digest)(struct tk_val block, struct tk_arena *arena);
    void (*write_text)(struct tk_writer *w, struct tk_str text);
    /* Writes a result which says that a call has none. toolset: of the call; may be absent. */
    void (*write_missing)(struct tk_writer *w, struct tk_val id, struct tk_str text,
                          struct tk_val toolset);
};

#endif
