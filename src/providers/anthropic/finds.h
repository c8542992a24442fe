/* SPDX-License-Identifier: Apache-2.0 */
/* The checks of the areas, each in find.c of its folder or in a file named after what it checks.
 * Each returns 0, -ENOMEM or -ECANCELED. */
#ifndef TK_PROVIDERS_ANTHROPIC_FINDS_H
#define TK_PROVIDERS_ANTHROPIC_FINDS_H

#include "rules/judge.h"

int tk_judge_ids(struct tk_judge *j);
int tk_judge_structure(struct tk_judge *j);
/* True if a message sets options (`content: []` with `output_config`) and says nothing: it may be
 * anywhere. */
bool tk_is_directive(const struct tk_transcript *t, uint32_t message);
int tk_judge_emptiness(struct tk_judge *j);
int tk_judge_surrogates(struct tk_judge *j);
int tk_judge_text(struct tk_judge *j);
int tk_judge_seals(struct tk_judge *j);
int tk_judge_thinking(struct tk_judge *j);
int tk_judge_block_shape(struct tk_judge *j);
int tk_judge_tool_shape(struct tk_judge *j);
int tk_judge_media(struct tk_judge *j);
int tk_judge_cache(struct tk_judge *j);
int tk_judge_citations(struct tk_judge *j);
int tk_judge_compaction(struct tk_judge *j);
int tk_judge_betas(struct tk_judge *j);

#endif
