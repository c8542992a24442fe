/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of calls and their outputs, and of approvals (PROVIDERS.md 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_FIND_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_FIND_H

#include "engine/judge.h"

/* Checks. They return 0, -ENOMEM or -ECANCELED. */
int tk_judge_repeated_call_ids(struct tk_judge *j); /* resp_call_id_duplicate */
int tk_judge_second_outputs(struct tk_judge *j);    /* resp_output_duplicate */
int tk_judge_lone_outputs(struct tk_judge *j);      /* resp_output_without_call */
int tk_judge_stored_calls(struct tk_judge *j);      /* resp_item_reference_call */
int tk_judge_open_calls(struct tk_judge *j);        /* resp_call_without_output */
int tk_judge_interleaved(struct tk_judge *j);       /* resp_deepseek_interleaved */
int tk_judge_approvals(struct tk_judge *j);         /* resp_approval_unpaired */

#endif
