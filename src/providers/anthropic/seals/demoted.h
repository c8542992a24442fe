/* SPDX-License-Identifier: Apache-2.0 */
/* Finds sealed thinking that is in its message as text: a part of the restoring; see seals.h. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_DEMOTED_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_DEMOTED_H

#include "providers/anthropic/seals/seals.h"

/*
 * Fills ret_texts, which has an element for each sealed block of the group, and is all TK_NONE: the
 * text part that a thinking block became (OPERATIONS.md C.3, demote). left_out: by sealed block,
 * true for thinking that is absent and won't be put back; for others nothing is looked for. A text
 * counts if it has the words of the thinking, nothing else, and is not itself sealed. Each is of one
 * block. The group must be of one message, and the content of its absent blocks must be known.
 * Linear. Returns 0 or -ENOMEM.
 */
int tk_sealed_find_texts(struct tk_seals *s, const struct tk_transcript *t,
                         const struct tk_sealed_turn *g, const bool *left_out, uint32_t *ret_texts);

#endif
