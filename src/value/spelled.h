/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads and overwrites single characters of a text that is spelled with escapes, also of a text
 * inside another one:
 *
 *     depth 0   UTF-8, as msgpack has it                               né
 *     depth 1   between the quotes of a JSON string                    n\u00e9
 *     depth 2   in a JSON string, between the quotes of another one    n\\u00e9
 *
 * A character is replaced by one that takes as many bytes, so nothing moves.
 */
#ifndef TK_VALUE_SPELLED_H
#define TK_VALUE_SPELLED_H

#include <stdint.h>

#include "value/str.h"

/* The bytes of a spelled text, which belong to somebody else and can be written. */
struct tk_spelled {
    uint8_t *at, *end;
    unsigned depth;
};

/*
 * Reads the character at `p`, which is before `end`: *ret is its code point, or a surrogate. A
 * backslash that begins no escape is one character with those that break it. Returns how many bytes
 * spell it.
 */
size_t tk_spelled_read(const uint8_t *p, const uint8_t *end, unsigned depth, uint32_t *ret);

/* Overwrites the character that n bytes spell, with one of the same length in UTF-8 and UTF-16. Both
 * are letters or digits or not ASCII, so that no short escape (`\n`) spells one of them. */
void tk_spelled_write(uint8_t *p, size_t n, unsigned depth, uint32_t c);

#endif
