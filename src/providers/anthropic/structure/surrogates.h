/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lone surrogates: escapes of half a character (CATALOGUE 3.3). Programs that count in UTF-16 cut
 * texts in the middle of a character. JSON can spell the half that is left, but it is no character,
 * and the provider refuses the whole body. MessagePack has no such strings.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_SURROGATES_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_SURROGATES_H

#include "rules/judge.h"

/* Finds strings and keys with a lone surrogate, in messages and in the rest of the request. Returns
 * 0 or -ENOMEM. */
int tk_judge_surrogates(struct tk_judge *j);

/* Returns the first node from `node` on and before `end` whose string or key has a lone surrogate,
 * or `end` if none has. */
uint32_t tk_find_surrogate(const struct tk_doc *doc, uint32_t node, uint32_t end);

/* Returns true if the member has a lone surrogate in its key or anywhere in its value. */
bool tk_member_has_surrogate(struct tk_val member);

/* Returns the first node of a part with a lone surrogate, or the part's end. */
static inline uint32_t tk_part_surrogate(const struct tk_part *p)
{
    return tk_find_surrogate(p->doc, p->node, p->doc->nodes[p->node].next);
}

#endif
