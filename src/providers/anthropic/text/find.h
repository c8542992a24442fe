/* SPDX-License-Identifier: Apache-2.0 */
/* Blank texts (CATALOGUE 3.4). Models stream empty text blocks, and SDKs store them; the provider
 * refuses them in the next request. find.c finds them, fix.c takes them out. */
#ifndef TK_PROVIDERS_ANTHROPIC_TEXT_FIND_H
#define TK_PROVIDERS_ANTHROPIC_TEXT_FIND_H

#include "engine/judge.h"

/* Faults of a block of text; bits. */
enum {
    TK_BLANK_EMPTY = 1,  /* "", or no text at all */
    TK_BLANK_SPACE = 2,  /* white space only */
    TK_BLANK_MARKED = 4, /* empty, with a cache marker */
};

/* Returns the faults of the wire's block `v`; 0 for a text with content and for any other block. */
unsigned tk_blank_block(struct tk_val v);

/* Returns the list of blocks in a client's result on the wire; TK_NO_VAL for any other part. */
struct tk_val tk_blocks_inside(const struct tk_part *p);

/* Returns true if the value exists and isn't null: the provider takes null for absent. */
static inline bool tk_is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* Finds blank texts, in messages, results and the system prompt, and white space at the end of a
 * last assistant turn. Returns 0 or -ENOMEM. */
int tk_judge_text(struct tk_judge *j);

#endif
