/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a request body from the results of operations. The next step reads it like a received
 * document. Unchanged members keep their bytes.
 */
#ifndef TK_OPERATIONS_BODY_H
#define TK_OPERATIONS_BODY_H

#include "operations/splice/splice.h"
#include "operations/tools/tools.h"
#include "value/rewrite.h"
#include "value/splice.h"

struct tk_body_input {
    struct tk_arena *arena;
    const uint64_t *hash_key;
    enum tk_codec codec;
    struct tk_val request;            /* the body as received */
    const struct tk_spliced *spliced; /* NULL: no turn was added */
    const struct tk_tools *tools;     /* as merged; NULL: no tools were merged */
};

/* Most members of one body that operations change. */
#define TK_BODY_CHANGES_MAX 4

/* Lists the members of the body that the operations change, for tk_write_with_changes(). They refer
 * to `in`, which must outlive them. Returns their number. */
size_t tk_body_changes(const struct tk_body_input *in,
                       struct tk_member_change ret[TK_BODY_CHANGES_MAX]);

/* Returns the changed body, which *ret_made wrote; `request` itself if nothing changes, and then
 * *ret_made isn't set; absent when out of memory. */
struct tk_val tk_body_make(const struct tk_body_input *in, struct tk_rewrite *ret_made);

#endif
