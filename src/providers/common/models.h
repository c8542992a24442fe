/* SPDX-License-Identifier: Apache-2.0 */
/* Words in the names of models, which tell whose model it is and of which version. Names are compared
 * in lower case. */
#ifndef TK_PROVIDERS_COMMON_MODELS_H
#define TK_PROVIDERS_COMMON_MODELS_H

#include "value/str.h"

/* Returns an ASCII letter in lower case; other characters as they are. */
static inline char tk_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Returns true if the word, which is in lower case, is in the name at this byte. */
bool tk_word_is_at(struct tk_str name, size_t at, struct tk_str word);

/* Returns the byte from which on the name has the word; SIZE_MAX if it doesn't have it at or after
 * `from`. */
size_t tk_find_name_word(struct tk_str name, size_t from, struct tk_str word);

/* Returns true if the name ends with the word. */
bool tk_name_ends(struct tk_str name, struct tk_str word);

#endif
