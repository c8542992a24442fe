/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of value: numbers between text and double, whatever the locale's decimal point is. */
#ifndef TK_VALUE_NUMBER_H
#define TK_VALUE_NUMBER_H

#include "value/arena.h"

#define TK_REAL_TEXT_MAX 32

/* A finite double in the shortest JSON form that reads back; returns its size. */
size_t tk_real_text(double d, char text[static TK_REAL_TEXT_MAX]);

/* A JSON integer that fits. */
bool tk_int64_of(struct tk_str lexeme, int64_t *ret);
bool tk_uint64_of(struct tk_str lexeme, uint64_t *ret);

/*
 * The finite double nearest to a JSON number: 1e999 is the largest there is, since JSON and our
 * promise of finite numbers have no infinity. False when there is no memory.
 */
bool tk_real_of(struct tk_str lexeme, struct tk_arena *arena, double *ret);

#endif
