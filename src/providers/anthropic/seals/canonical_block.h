/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical form of a content block (OPERATIONS.md C.1): the bytes that make.c hashes, the same
 * for every spelling of a block, without what clients add to what the provider said. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_CANONICAL_BLOCK_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_CANONICAL_BLOCK_H

#include "value/canonical.h"

/* Writes a block without cache markers (except inside `input`), without members that are null, and
 * without a `caller` that says "direct". A string counts as the text block that it is short for. */
void tk_canon_block(const struct tk_canon *c, struct tk_val block);

/* Writes a block as if its member of that name were the empty string. A block without the member is
 * written as it is. */
void tk_canon_block_emptied(const struct tk_canon *c, struct tk_val block, struct tk_str member);

#endif
