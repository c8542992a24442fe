/* SPDX-License-Identifier: Apache-2.0 */
/* Names and ids as OpenAI's patterns see them: by characters, of which few are allowed. */
#ifndef TK_PROVIDERS_OPENAI_CHARACTERS_H
#define TK_PROVIDERS_OPENAI_CHARACTERS_H

#include "value/doc.h"

/* Returns the number of characters of a text: Unicode code points, a lone surrogate counts as one. */
size_t tk_characters(struct tk_str text);

/* Returns true if a string of a document has more characters than this; false for other values. A
 * short one, as spelled, costs nothing. */
bool tk_characters_exceed(struct tk_val string, size_t most, struct tk_arena *arena);

/* Returns true if a text is one or more, and at most `most`, of the characters a-z, A-Z, 0-9, _ and
 * -. */
bool tk_is_plain_name(struct tk_str text, size_t most);

/* Returns `head` and the first `digits` hex digits of the SHA-256 of a text; `.p == NULL` without
 * memory. */
struct tk_str tk_hashed(const char *head, struct tk_str text, int digits, struct tk_arena *arena);

#endif
