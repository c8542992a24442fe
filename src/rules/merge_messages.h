/* SPDX-License-Identifier: Apache-2.0 */
/* Joins neighbours of one role, once no round edits any more. */
#ifndef TK_RULES_MERGE_MESSAGES_H
#define TK_RULES_MERGE_MESSAGES_H

#include "rules/edit/edit.h"
#include "rules/judge.h"

/* Joins neighbours of one role if the policy asks for it; never signed ones, nor those that the
 * provider keeps apart. Returns 0 or -ENOMEM; *ret_merged tells if it did. */
int tk_merge_neighbours(struct tk_judge *j, struct tk_edits *e, bool *ret_merged);

#endif
