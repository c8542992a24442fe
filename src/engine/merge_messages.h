/* SPDX-License-Identifier: Apache-2.0 */
/* Merges adjacent messages of one role. The provider's rules say which may, and what else that takes. */
#ifndef TK_ENGINE_MERGE_MESSAGES_H
#define TK_ENGINE_MERGE_MESSAGES_H

#include "engine/edit/edit.h"
#include "engine/judge.h"

/* Merges adjacent messages after the last round of edits, if the policy or a rule asks for it and none of them is
 * signed. Returns 0 or -ENOMEM; *ret_merged: true if any were merged. */
int tk_merge_neighbours(struct tk_judge *j, struct tk_edits *e, bool *ret_merged);

/* Returns true if a message may merge into the one before it, `into`, provided that neither is signed. */
bool tk_may_merge(const struct tk_judge *j, uint32_t into, uint32_t message);

/* Merges a message into the one before it and drops it. last_result: as for tk_edit_merge(). Returns 0, -ENOMEM or
 * -ECANCELED. */
int tk_merge(struct tk_judge *j, struct tk_edits *e, uint32_t message, uint32_t *last_result);

#endif
