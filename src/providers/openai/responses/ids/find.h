/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the ids by which the server stores items (PROVIDERS.md 4.3). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_IDS_FIND_H
#define TK_PROVIDERS_OPENAI_RESPONSES_IDS_FIND_H

#include "engine/judge.h"

/* Checks. They return 0, -ENOMEM or -ECANCELED. */
int tk_judge_resent(struct tk_judge *j);             /* resp_previous_and_resend */
int tk_judge_not_persisted(struct tk_judge *j);      /* resp_item_not_persisted */
int tk_judge_foreign_ciphertext(struct tk_judge *j); /* resp_encrypted_content_foreign */
int tk_judge_repeated_item_ids(struct tk_judge *j);  /* resp_duplicate_item_id */
int tk_judge_prefixes(struct tk_judge *j);           /* resp_item_id_prefix */
int tk_judge_long_item_ids(struct tk_judge *j);      /* resp_id_too_long */
int tk_judge_lone_reasoning(struct tk_judge *j);     /* resp_reasoning_without_next */

/* The most characters of an id. */
#define TK_LONGEST_ITEM_ID 64

/* Returns true if the `id` of an item is too long and may be deleted, or must be shortened. */
bool tk_item_id_is_long(const struct tk_transcript *t, uint32_t item);
/* Likewise for the `call_id` of a call or output. */
bool tk_call_id_is_long(const struct tk_transcript *t, uint32_t item);

/* Returns the reasoning item's ciphertext; absent if it has none. */
struct tk_val tk_ciphertext(const struct tk_transcript *t, uint32_t item);

#endif
