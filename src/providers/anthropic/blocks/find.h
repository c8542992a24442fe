/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members that the provider is known to refuse: left on blocks by libraries that put streamed
 * messages together. The rule finds them, the fix takes them out.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_BLOCKS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_BLOCKS_FIND_H

#include "shapes/blocks.h"
#include "shapes/shape.h"

struct tk_offender {
    struct tk_path path; /* from the block: one step */
    uint16_t block;      /* the type that it offends in; TK_BLOCK_NONE: in every one */
};

extern const struct tk_offender tk_offenders[];
extern const size_t tk_offender_count;

/* Returns true if the block has a member, not null, that isn't in its row. */
bool tk_has_foreign_member(const struct tk_part *p);

/* Whether blocks of that row may not have the member. */
static inline bool tk_offends(const struct tk_offender *o, uint16_t block)
{
    return o->block == TK_BLOCK_NONE || o->block == block;
}

#endif
