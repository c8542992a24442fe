/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws texts from a grammar whose rules are rows of tables. The rows of one name are alternatives;
 * one of them is drawn by weight. In a row's text
 *
 *     @name       becomes a text of that name
 *     $i=name;    stores a text of that name in the variable `i` (a letter) and becomes nothing
 *     $i          becomes the variable's text, in this row and in all texts that are drawn for it
 *     #           becomes a number that no other place of the text has
 *     %           becomes one character, of all that there are beyond ASCII
 *     '           becomes a quotation mark
 *
 * and all other characters stay. A name may lead back to itself: once no choices are left, its first
 * row is drawn, which must lead to an end.
 */
#ifndef TK_TESTS_RANDOM_GRAMMAR_H
#define TK_TESTS_RANDOM_GRAMMAR_H

#include "value/out.h"

#include "choices.h"

/* A row is in a language if they share a bit. */
struct grammar_row {
    const char *name;
    uint16_t weight, languages;
    const char *text;
};

struct grammar;

/*
 * Makes a grammar of a language's rows in `count` tables, each ended by a row without a name. Ends
 * the program if a text has a name without rows, or if a row can't be reached from `start`.
 */
struct grammar *grammar_new(const struct grammar_row *const *tables, size_t count,
                            unsigned language, const char *start);
void grammar_free(struct grammar *grammar);

/* Returns a text of that name, in the arena. */
struct tk_str grammar_draw(const struct grammar *grammar, const char *name, struct choices *choices,
                           struct tk_arena *arena);

#endif
