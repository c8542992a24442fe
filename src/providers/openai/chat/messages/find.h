/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of messages by themselves: roles, content, names, reasoning; and of the request. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_MESSAGES_FIND_H
#define TK_PROVIDERS_OPENAI_CHAT_MESSAGES_FIND_H

#include "engine/judge.h"

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_no_messages(struct tk_judge *j);
int tk_chat_find_tool_limits(struct tk_judge *j);
int tk_chat_find_tool_name_pattern(struct tk_judge *j);
int tk_chat_find_role_invalid(struct tk_judge *j);
int tk_chat_find_role_unsupported(struct tk_judge *j);
int tk_chat_find_developer(struct tk_judge *j);
int tk_chat_find_content_null(struct tk_judge *j);
int tk_chat_find_content_type(struct tk_judge *j);
int tk_chat_find_empty_calls(struct tk_judge *j);
int tk_chat_find_many_calls(struct tk_judge *j);
int tk_chat_find_message_name(struct tk_judge *j);
int tk_chat_find_list_content(struct tk_judge *j);
int tk_chat_find_empty_message(struct tk_judge *j);
int tk_chat_find_no_reasoning(struct tk_judge *j);

/* Returns the length of the character that a message's name can't have, at the start of a text; 0: the
 * text begins with another. */
size_t tk_chat_foreign_in_name(struct tk_str text);

#endif
