/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a content that lost their type, and messages in the place of parts (PROVIDERS.md
 * 3, "no type"). */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PARTS_UNTYPED_H
#define TK_PROVIDERS_OPENAI_CHAT_PARTS_UNTYPED_H

#include "engine/fix.h"

/* Returns true for a part of a list that has no type, or null. */
bool tk_chat_is_untyped(const struct tk_part *p);

/* Wants a rewrite if the part's only other member says its type, or if all parts of its message are
 * messages. */
struct tk_decision tk_chat_want_typed(struct tk_plan *p, const struct tk_finding *f);
int tk_chat_fix_untyped(struct tk_plan *p, const struct tk_finding *f);

#endif
