/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks with wrong members (CATALOGUE 3.3). Libraries that put streamed messages together leave
 * members on blocks that the provider is known to refuse: offenders. The rule finds them, the fix
 * takes them out.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_BLOCKS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_BLOCKS_FIND_H

#include "engine/judge.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"

struct tk_offender {
    struct tk_path path; /* path from the block: one step */
    uint16_t block;      /* block type in which it is refused; TK_BLOCK_NONE: in every type */
};

extern const struct tk_offender tk_offenders[];
extern const size_t tk_offender_count;

/* Returns true if the block has a member, other than null, that the table of blocks doesn't list
 * for its type. */
bool tk_has_foreign_member(const struct tk_part *p);

/* Returns true if blocks of that type must not have the member. */
static inline bool tk_offends(const struct tk_offender *o, uint16_t block)
{
    return o->block == TK_BLOCK_NONE || o->block == block;
}

/* Finds blocks that lack a required member or have a foreign one, and blocks of unknown types.
 * Returns 0, -ENOMEM or -ECANCELED. */
int tk_judge_block_shape(struct tk_judge *j);

#endif
