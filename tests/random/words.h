/* SPDX-License-Identifier: Apache-2.0 */
/* The words of a history: `word7x` and its like, of which rows draw each only once (grammar.h). */
#ifndef TK_TESTS_RANDOM_WORDS_H
#define TK_TESTS_RANDOM_WORDS_H

#include "value/doc.h"

enum {
    MAX_WORD = 1 << 16,
};

struct words {
    uint64_t bits[MAX_WORD / 64];
};

/* Adds the words in all strings of a value; absent has none. */
void words_add(struct words *words, struct tk_val v, struct tk_arena *arena);

/* Returns the number of a word that is in `a` but not in `b`; -1: there is none. */
int words_missing(const struct words *a, const struct words *b);

#endif
