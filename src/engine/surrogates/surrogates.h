/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lone surrogates: escapes of half a character (CATALOGUE 3.3). Programs that count in UTF-16 cut
 * texts in the middle of a character. JSON can spell the half that is left, but it is no character,
 * and providers refuse the whole body. MessagePack has no such strings.
 */
#ifndef TK_ENGINE_SURROGATES_SURROGATES_H
#define TK_ENGINE_SURROGATES_SURROGATES_H

#include "engine/fix.h"

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

/* ---- fixes; engine/fix.h says what `want` and `act` are ---- */

/* Wants lone surrogates rewritten, unless they are outside the messages. */
struct tk_decision tk_want_no_surrogate(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);

/* Puts U+FFFD for each lone surrogate of the part, or of the message's own members. Makes no edit
 * if two keys would become the same. Ids and names that a protected part has, too, stay. */
int tk_fix_surrogates(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
