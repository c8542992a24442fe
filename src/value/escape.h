/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of value: unescapes JSON strings. Their bytes were checked when the document was read. */
#ifndef TK_VALUE_ESCAPE_H
#define TK_VALUE_ESCAPE_H

#include "value/str.h"

#include <stdint.h>

/* The bytes between the quotes of a string, as they are spelled. */
struct tk_raw {
    struct tk_str bytes;
    bool escaped; /* they have a backslash */
};

/* Returns the number that four hexadecimal digits spell; -1 if one of them is no digit. */
int tk_hex4(const uint8_t *digits);

/*
 * Writes the text of raw bytes to `to`, which must have room for raw.n bytes; a lone surrogate
 * becomes three bytes. Returns the size of the text in bytes.
 */
size_t tk_unescape(struct tk_str raw, char *to);

/*
 * Writes the character of the escape at *p, a backslash, or of the two escapes of a surrogate pair,
 * and moves *p after them. `to` must have room for four bytes. Returns how many were written.
 */
size_t tk_unescape_one(const char **p, const char *end, char *to);

/* True if two raw strings have the same text, however it is spelled. Allocates nothing. */
bool tk_raw_eq(struct tk_raw a, struct tk_raw b);

#endif
