/* SPDX-License-Identifier: Apache-2.0 */
/* One look at a history of Chat Completions, before its checks (state.h). */
#ifndef TK_PROVIDERS_OPENAI_CHAT_SURVEY_H
#define TK_PROVIDERS_OPENAI_CHAT_SURVEY_H

#include "engine/judge.h"

/* The hook `survey` of struct tk_ruleset. */
int tk_chat_survey(struct tk_judge *j);

#endif
