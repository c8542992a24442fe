/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of value: the text that a JSON string's raw bytes stand for. */
#ifndef TK_VALUE_ESCAPE_H
#define TK_VALUE_ESCAPE_H

#include "value/str.h"

#include <stdint.h>

/* A string as it stands between its quotes; escaped: there is a backslash in it. */
struct tk_raw {
    struct tk_str bytes;
    bool escaped;
};

/* Four hexadecimal digits, -1 where they aren't. */
int tk_hex4(const uint8_t *digits);

/*
 * Writes the text of raw bytes (already found valid) to `to`, which has room for as many bytes;
 * a lone surrogate becomes three bytes. Returns the text's size.
 */
size_t tk_unescape(struct tk_str raw, char *to);

/*
 * The same for one escape, or a pair of them, at *p, a backslash; moves *p behind it. `to` has room
 * for four bytes. Returns how many were written.
 */
size_t tk_unescape_one(const char **p, const char *end, char *to);

/* Whether two raw strings stand for the same text. Allocates nothing. */
bool tk_raw_eq(struct tk_raw a, struct tk_raw b);

#endif
