/* SPDX-License-Identifier: Apache-2.0 */
/* Texts without content, as text.c finds them and fix_text.c takes them out. */
#ifndef TK_RULES_TEXT_H
#define TK_RULES_TEXT_H

#include "rules/transcript.h"

/* What is wrong with a block of text. */
enum {
    TK_BLANK_EMPTY = 1,  /* "", or no text at all */
    TK_BLANK_SPACE = 2,  /* white space only */
    TK_BLANK_MARKED = 4, /* empty, with a cache marker */
};

/* Of the wire's block at v; 0 for a text with content and for any other block. */
unsigned tk_blank_block(struct tk_val v);

/* The blocks inside a client's result on the wire; not there for any other part. */
struct tk_val tk_blocks_inside(const struct tk_part *p);

/* Returns true if the message has no parts but blank texts. */
bool tk_says_nothing(const struct tk_transcript *t, uint32_t message);

/* Whether a value is there and no null: how members of blocks are present on the wire. */
static inline bool tk_is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

#endif
