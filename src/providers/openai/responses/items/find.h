/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of what an item is and which members it has (CATALOGUE 4.1, PROVIDERS.md 4.1). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_ITEMS_FIND_H
#define TK_PROVIDERS_OPENAI_RESPONSES_ITEMS_FIND_H

#include "providers/openai/responses/item.h"

/* Checks. They return 0, -ENOMEM or -ECANCELED. */
int tk_judge_item_types(struct tk_judge *j);   /* resp_item_type_unknown */
int tk_judge_item_roles(struct tk_judge *j);   /* resp_role_unknown */
int tk_judge_developer(struct tk_judge *j);    /* resp_developer_role */
int tk_judge_member_types(struct tk_judge *j); /* resp_item_field_type */
int tk_judge_missing(struct tk_judge *j);      /* resp_missing_item_field */
int tk_judge_item_members(struct tk_judge *j); /* resp_unknown_item_field */
int tk_judge_unfinished(struct tk_judge *j);   /* resp_hosted_call_unfinished */

/* Returns the required members that an item lacks: TK_IM() bits. */
uint64_t tk_missing_members(const struct tk_transcript *t, uint32_t item);

/* Returns true if a message's role is one that the API knows. */
static inline bool tk_has_known_role(const struct tk_transcript *t, uint32_t item)
{
    return t->messages[item].role != TK_ROLE_OTHER;
}

/* Returns true for a member that is known to be refused on an item, or on a content part. */
bool tk_is_item_offender(const struct tk_transcript *t, uint32_t item, struct tk_val member);
bool tk_is_part_offender(struct tk_val member);

/* Returns the chunks of a shell's output, which may have refused members of their own; absent if the
 * item is no such output. */
struct tk_val tk_shell_chunks(const struct tk_transcript *t, uint32_t item);

#endif
