/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Escapes of half a surrogate pair (CATALOGUE 3.3). Programs that count in UTF-16 cut texts in the
 * middle of a character; what is left can be written in JSON and stands for nothing. Msgpack has no
 * such strings.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STRUCTURE_SURROGATES_H
#define TK_PROVIDERS_ANTHROPIC_STRUCTURE_SURROGATES_H

#include "history/history.h"

/* The first node from `node` on, and before `end`, whose string or key holds one; `end`: none. */
uint32_t tk_find_surrogate(const struct tk_doc *doc, uint32_t node, uint32_t end);

/* Whether a member has one, in its key or anywhere in its value. */
bool tk_member_has_surrogate(struct tk_val member);

/* The same for the nodes of a part. */
static inline uint32_t tk_part_surrogate(const struct tk_part *p)
{
    return tk_find_surrogate(p->doc, p->node, p->doc->nodes[p->node].next);
}

#endif
