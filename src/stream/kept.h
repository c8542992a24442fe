/* SPDX-License-Identifier: Apache-2.0 */
/* An encoded value that a stream keeps: its bytes, in the codec that they came in. */
#ifndef TK_STREAM_KEPT_H
#define TK_STREAM_KEPT_H

#include "value/doc.h"

struct tk_kept {
    struct tk_str bytes; /* `.p == NULL`: nothing is kept */
    uint8_t codec;
};

#define TK_KEPT_NOTHING ((struct tk_kept){{NULL, 0}, TK_JSON})

static inline bool tk_is_kept(const struct tk_kept *kept)
{
    return kept->bytes.p != NULL;
}

/* Copies a value into the arena. An absent value is kept as nothing. */
static inline struct tk_kept tk_keep(struct tk_arena *arena, struct tk_val v)
{
    if (!tk_exists(v))
        return TK_KEPT_NOTHING;
    return (struct tk_kept){tk_arena_dup(arena, tk_span(v)), v.doc->codec};
}

/* Returns the part of a kept value that is `inner`; the kept value is `outer`, which contains it. */
static inline struct tk_kept tk_kept_part(const struct tk_kept *kept, struct tk_val outer,
                                          struct tk_val inner)
{
    size_t from = tk_node(inner)->off - tk_node(outer)->off;

    if (!tk_is_kept(kept))
        return TK_KEPT_NOTHING;
    return (struct tk_kept){{kept->bytes.p + from, tk_node(inner)->len}, kept->codec};
}

#endif
