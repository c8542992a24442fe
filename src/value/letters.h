/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of characters that may replace one another without changing the kind of a text. */
#ifndef TK_VALUE_LETTERS_H
#define TK_VALUE_LETTERS_H

#include <stdint.h>

/* The characters from `first` on, `count` of them. `count == 0`: the character stays as it is. */
struct tk_letters {
    uint32_t first, count;
};

/*
 * Returns the set of a character. All members of a set have the same length in UTF-8 and in UTF-16,
 * and none is white space. ASCII has three sets, a-z, A-Z and 0-9, and its other characters stay:
 * names, ids, URLs, base64 and JSON fit the same patterns before and after. The other sets are
 * writing systems, or ranges of them. White space, control characters and surrogates stay.
 */
struct tk_letters tk_letters_of(uint32_t c);

#endif
