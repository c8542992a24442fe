/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of value: converts numbers from and to text, independent of the locale's decimal point. */
#ifndef TK_VALUE_NUMBER_H
#define TK_VALUE_NUMBER_H

#include "value/arena.h"

#define TK_REAL_TEXT_MAX 32

/*
 * Writes a finite double in the shortest JSON form that reads back as the same number, not
 * NUL-terminated. Returns its size in bytes.
 */
size_t tk_real_text(double d, char text[static TK_REAL_TEXT_MAX]);

/* Read a JSON integer. False if it doesn't fit. */
bool tk_int64_of(struct tk_str lexeme, int64_t *ret);
bool tk_uint64_of(struct tk_str lexeme, uint64_t *ret);

/*
 * Reads a JSON number as the nearest double; an out-of-range number (1e999) becomes the largest
 * finite double, since JSON has no infinity. False without memory.
 */
bool tk_real_of(struct tk_str lexeme, struct tk_arena *arena, double *ret);

#endif
