/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of this program's making: bytes that it wrote, and reads like those of a request. */
#ifndef TK_VALUE_OWN_H
#define TK_VALUE_OWN_H

#include "value/doc.h"

/*
 * Reads one whole document that this program wrote; its tape is in the arena, and `encoded` must
 * live as long. It has no limits: all values in it passed those of the request. NULL without memory,
 * now or when `encoded` was written (`encoded.p == NULL`).
 */
struct tk_doc *tk_doc_of_own(struct tk_str encoded, const uint64_t hash_key[2],
                             struct tk_arena *arena);

#endif
