/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts that rules measure, and texts that take the place of structures.
 *
 *     struct tk_words w = tk_words_begin(arena, "\n");
 *
 *     tk_words_add(&w, TK_STR("one"));
 *     tk_words_add(&w, TK_STR(""));
 *     tk_words_add(&w, TK_STR("two"));
 *     text = tk_words_end(&w);           "one\ntwo"
 *
 * All texts are in the arena, or views of the documents; `.p == NULL`: out of memory.
 */
#ifndef TK_PROVIDERS_COMMON_TEXTS_H
#define TK_PROVIDERS_COMMON_TEXTS_H

#include "value/doc.h"
#include "value/out.h"

/* ---- characters: Unicode code points; a lone surrogate counts as one ---- */

/* Returns true for a byte that isn't the first of its character. */
static inline bool tk_continues_character(char c)
{
    return ((unsigned char)c & 0xC0) == 0x80;
}

/* Returns the number of characters of a text. */
size_t tk_characters(struct tk_str text);

/* Returns the first n characters of a text; all of it if it has fewer. */
struct tk_str tk_first_characters(struct tk_str text, size_t n);

/* Returns true if a string of a document has more characters than this; false for other values. A
 * short one, as spelled, costs nothing. */
bool tk_characters_exceed(struct tk_val string, size_t most, struct tk_arena *arena);

/* ---- a text that grows by pieces ---- */

struct tk_words {
    struct tk_out out;
    const char *separator; /* comes before the next piece; callers may change it at any time */
};

struct tk_words tk_words_begin(struct tk_arena *arena, const char *separator);

/* Adds a piece. An empty one adds nothing, and no separator. The piece must live as long as the
 * output. */
void tk_words_add(struct tk_words *w, struct tk_str piece);

/* Returns the text in one piece. */
struct tk_str tk_words_end(struct tk_words *w);

/* ---- values as texts ---- */

/* Returns a value that exists as compact JSON. */
struct tk_str tk_json_text(struct tk_val v, struct tk_arena *arena);

/* Returns a value as compact JSON for a model to read: without the members that only a provider can
 * read, whose names begin with "encrypted" in any case, or are "signature" (RULES.md 4). */
struct tk_str tk_readable_json(struct tk_val v, struct tk_arena *arena);

/* Returns "[NAME result]" and, on the next line, the text; a blank text is left out. An empty name
 * is "tool"; a long one is cut as in answers. */
struct tk_str tk_marked_text(struct tk_arena *arena, struct tk_str name, struct tk_str text);

#endif
