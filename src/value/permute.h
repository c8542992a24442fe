/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A keyed permutation of texts: replaces the letters and digits of a text (letters.h) by others, in
 * place, so that equal texts stay equal, different texts stay different, and length and kinds of
 * characters stay. Each character depends on all others of the text and on the key, so letters that
 * are equal in one text don't stay equal: how often a letter occurs shows nothing. Who has the key
 * could undo it; who doesn't, can't.
 */
#ifndef TK_VALUE_PERMUTE_H
#define TK_VALUE_PERMUTE_H

#include "value/spelled.h"

/* Replaces a text. It is linear and allocates nothing. The key is secret and random. */
void tk_permute(const uint64_t key[2], struct tk_spelled text);

#endif
