/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the names and arguments of calls (CATALOGUE 4.1). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_CALLS_FIND_H
#define TK_PROVIDERS_OPENAI_RESPONSES_CALLS_FIND_H

#include "engine/judge.h"

/* Checks. They return 0 or -ENOMEM. */
int tk_judge_argument_types(struct tk_judge *j); /* resp_arguments_not_string */
int tk_judge_arguments(struct tk_judge *j);      /* resp_arguments_invalid_json */
int tk_judge_call_names(struct tk_judge *j);     /* resp_tool_name_in_history */

/* The most characters of a tool's name. */
#define TK_LONGEST_CALL_NAME 128

#endif
