/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of calls and tool messages: their ids, and that each has the other. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PAIRS_FIND_H
#define TK_PROVIDERS_OPENAI_CHAT_PAIRS_FIND_H

#include "engine/judge.h"

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_id_missing(struct tk_judge *j);
int tk_chat_find_id_duplicate(struct tk_judge *j);
int tk_chat_find_strays(struct tk_judge *j);
int tk_chat_find_unanswered(struct tk_judge *j); /* also chat_call_count_mismatch, on Mistral */
int tk_chat_find_long_ids(struct tk_judge *j);
int tk_chat_find_id_pattern(struct tk_judge *j);

#endif
