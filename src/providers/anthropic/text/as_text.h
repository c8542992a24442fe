/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in place of a structure that has to go (RULES.md section 4): an orphaned search result
 * becomes a list of its hits, so that the model can still read what the tool found. Ciphertext,
 * signatures and ids never enter text, as the model might repeat them.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_TEXT_AS_TEXT_H
#define TK_PROVIDERS_ANTHROPIC_TEXT_AS_TEXT_H

#include "engine/judge.h"

/* Returns the text of a result part, headed "[NAME result]" if the policy marks text. A blank text
 * means that nothing is worth keeping; `.p == NULL`: out of memory. The text is in the arena. */
struct tk_str tk_textify(struct tk_judge *j, uint32_t result);

/*
 * Returns the text of a single block, of a message or of a client's result: what a search result, a
 * document or a tool reference says, or "[image removed]" for a block without words. A blank text
 * means that nothing is worth keeping; `.p == NULL`: out of memory. The text is in the arena.
 */
struct tk_str tk_textify_block(struct tk_arena *arena, struct tk_val block);

#endif
