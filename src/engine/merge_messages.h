/* SPDX-License-Identifier: Apache-2.0 */
/* Merges adjacent messages of one role after the last round of edits. */
#ifndef TK_ENGINE_MERGE_MESSAGES_H
#define TK_ENGINE_MERGE_MESSAGES_H

#include "engine/edit/edit.h"
#include "engine/judge.h"

/* Merges adjacent messages of one role if the policy asks for it, or a rule does (`joined` of struct
 * tk_ruleset), except signed ones and those that the provider keeps apart. Returns 0 or -ENOMEM;
 * *ret_merged: true if any were merged. */
int tk_merge_neighbours(struct tk_judge *j, struct tk_edits *e, bool *ret_merged);

/* Merges a message into the one before it if a rule blames it and nothing forbids it, while other
 * fixes of the round are still to come: both must be of one turn, which stays as it is. *last_result:
 * as for tk_edit_merge(). *merged: the message that others of this round were merged into, or
 * TK_NONE; it isn't searched for signatures again. Returns 0 or -ENOMEM. The message is dropped if it
 * was merged. */
int tk_merge_now(struct tk_judge *j, struct tk_edits *e, uint32_t message, uint32_t *last_result,
                 uint32_t *merged);

#endif
