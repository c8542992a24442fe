/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of calls by themselves: names, arguments, and nulls in their place. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_CALLS_FIND_H
#define TK_PROVIDERS_OPENAI_CHAT_CALLS_FIND_H

#include "engine/judge.h"

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_holes(struct tk_judge *j);
int tk_chat_find_tool_name(struct tk_judge *j);
int tk_chat_find_arguments_type(struct tk_judge *j);
int tk_chat_find_arguments_json(struct tk_judge *j);

#endif
