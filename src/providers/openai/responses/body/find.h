/* SPDX-License-Identifier: Apache-2.0 */
/* Rules about the body of a request as a whole (CATALOGUE 4.1). All are only reported. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_BODY_FIND_H
#define TK_PROVIDERS_OPENAI_RESPONSES_BODY_FIND_H

#include "engine/judge.h"

/* Checks. They need the whole body and return 0 or -ENOMEM. */
int tk_judge_empty_input(struct tk_judge *j);  /* resp_input_empty */
int tk_judge_server_state(struct tk_judge *j); /* resp_previous_with_conversation */
int tk_judge_tool_limits(struct tk_judge *j);  /* resp_tool_limits */

#endif
