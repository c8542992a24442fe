/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the order of roles, which templates of copies of the API want. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_ORDER_FIND_H
#define TK_PROVIDERS_OPENAI_CHAT_ORDER_FIND_H

#include "engine/judge.h"

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_late_system(struct tk_judge *j);
int tk_chat_find_same_roles(struct tk_judge *j);
int tk_chat_find_user_after_tool(struct tk_judge *j);
int tk_chat_find_last_assistant(struct tk_judge *j);

/* Returns true if two neighbours are both the user's, or both the assistant's and the first has no
 * calls. */
bool tk_chat_is_same_role(const struct tk_transcript *t, uint32_t first, uint32_t second);

#endif
