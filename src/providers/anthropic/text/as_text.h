/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a result leaves as text when its structure has to go (RULES.md section 4): what the tool
 * found stays readable for the model. Ciphertext, signatures and ids never enter text.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TEXT_AS_TEXT_H
#define TK_PROVIDERS_ANTHROPIC_TEXT_AS_TEXT_H

#include "rules/judge.h"

/*
 * The text of a result part, headed "[NAME result]" where the policy marks text. Blank: there is
 * nothing to keep; p NULL without memory. In the arena.
 */
struct tk_str tk_textify(struct tk_judge *j, uint32_t result);

/*
 * The text of a lone block, in a message or in a client's result: what a search result, a document
 * or a tool reference says, "[image removed]" of one that no text can stand for. Blank: there is
 * nothing to keep; p NULL without memory. In the arena.
 */
struct tk_str tk_textify_block(struct tk_arena *arena, struct tk_val block);

#endif
