/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts from a grammar whose rules are rows of tables. A name's rows are its alternatives; one is
 * taken by weight. In a row's text
 *
 *     @name       stands for one of that name's rows
 *     $i=name;    puts one into the place `i` (a letter) and nothing here: until the row ends, in
 *     $i          whatever stands for a name in it, this is what was put there last
 *     #           stands for a number that stands nowhere else in the text
 *     '           stands for a quotation mark
 *
 * and everything else for itself. What comes back to its own name comes to an end where choices
 * do: a name's first row leads nowhere new.
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
 * A grammar of the rows that a language has, of `count` tables that end in a row without a name.
 * The program ends where a text names what has no row, or no text leads to a row from `start`.
 */
struct grammar *grammar_new(const struct grammar_row *const *tables, size_t count,
                            unsigned language, const char *start);
void grammar_free(struct grammar *grammar);

/* One text that stands for a name, in the arena. */
struct tk_str grammar_draw(const struct grammar *grammar, const char *name, struct choices *choices,
                           struct tk_arena *arena);

#endif
