/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Words of the providers' protocols: names of members, types, roles, tools that a provider has,
 * and other enumerated values, as far as rules and shapes know them, and some more that a reader of a
 * request needs. Every other string of a history was written by a person or a model, or is data.
 *
 * words.c is made by generate.py from words.json and from the strings in the code of providers and
 * shapes.
 */
#ifndef TK_PROVIDERS_WORDS_WORDS_H
#define TK_PROVIDERS_WORDS_WORDS_H

#include <stdint.h>

#include "value/str.h"

/* About a word as the name of a member: what its value is. */
enum {
    TK_NAMES_WORD = 1 << 0,   /* one of the protocol's words, if it is a string */
    TK_NAMES_MODEL = 1 << 1,  /* the name of a model */
    TK_NAMES_JSON = 1 << 2,   /* JSON, if it is a string */
    TK_NAMES_FREE = 1 << 3,   /* whatever a person or a model chose, with names of members */
    TK_NAMES_SCHEMA = 1 << 4, /* a JSON schema */
    /* about a word as the name of a member of a JSON schema */
    TK_OF_SCHEMA = 1 << 5,       /* it is such a member */
    TK_OF_SCHEMA_NAMED = 1 << 6, /* its members are schemas, whose names a person chose */
    TK_OF_SCHEMA_VALUE = 1 << 7, /* a value that the schema describes */
    /* the protocol's own number, or an object whose numbers are: a limit, an index, a count */
    TK_NAMES_NUMBER = 1 << 8,
};

struct tk_known_word {
    struct tk_str text;
    unsigned flags;
};

/* The longest word, in bytes. No word, beginning or end has a character that isn't ASCII. */
#define TK_KNOWN_WORD_MAX 64

/* Returns a word; NULL if the text is none. Takes time logarithmic in the number of words. */
const struct tk_known_word *tk_find_known_word(struct tk_str text);

/* Beginnings and ends that rules look for in ids, types, URLs and texts, the longest first, ended by
 * `.p == NULL`. */
extern const struct tk_str tk_word_beginnings[], tk_word_ends[];

/* Parts of the names of models, in lower case, the longest first, ended by `.p == NULL`. */
extern const struct tk_str tk_model_words[];

/* For words.c: sorted by length, then by bytes. */
extern const struct tk_known_word tk_known_words[];
extern const uint32_t tk_known_word_count;

#endif
