/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical form of a content block (OPERATIONS.md C.1), without what doesn't belong to what
 * the provider said. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_CANONICAL_BLOCK_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_CANONICAL_BLOCK_H

#include "value/canonical.h"

/*
 * Puts a block without cache markers at any depth but inside `input`, without its members that are
 * null, and without `caller` where that says "direct". A string counts as the text block that it
 * stands for.
 */
void tk_canon_block(const struct tk_canon *c, struct tk_val block);

/* Puts a block as if its member of that name were the empty string; if it has none, as it is. */
void tk_canon_block_emptied(const struct tk_canon *c, struct tk_val block, struct tk_str member);

#endif
