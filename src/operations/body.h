/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A request body in the making: what operations made of its members, as a document of its own
 * that the next step reads like one that came in. Members that nobody changed have their bytes.
 */
#ifndef TK_OPERATIONS_BODY_H
#define TK_OPERATIONS_BODY_H

#include "operations/splice/splice.h"
#include "operations/tools/tools.h"
#include "value/splice.h"

struct tk_body_input {
    struct tk_arena *arena;
    const uint64_t *hash_key;
    enum tk_codec codec;
    struct tk_val request;            /* the body as it came, with its messages */
    struct tk_val messages;           /* those */
    const struct tk_spliced *spliced; /* NULL: nothing was */
    const struct tk_tools *tools;     /* as merged; NULL: nothing was */
};

/* Changes that one body can need. */
#define TK_BODY_CHANGES_MAX 4

/* Lists the members of the body that the operations change, for tk_write_with_changes(). They refer
 * to `in`, which must outlive them. Returns their number. */
size_t tk_body_changes(const struct tk_body_input *in,
                       struct tk_member_change ret[TK_BODY_CHANGES_MAX]);

/* The body with them made: `request` itself where there are none. Absent without memory. */
struct tk_val tk_body_make(const struct tk_body_input *in);

#endif
