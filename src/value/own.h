/* SPDX-License-Identifier: Apache-2.0 */
/* Documents of our own making: what was written once and is looked at like what came in. */
#ifndef TK_VALUE_OWN_H
#define TK_VALUE_OWN_H

#include "value/doc.h"

/*
 * Reads bytes that we wrote (one whole document), in the arena's memory. No limit holds: whatever
 * is in it was let in before. NULL when there is no memory, or wasn't to write it (p NULL).
 */
struct tk_doc *tk_doc_of_own(struct tk_str encoded, const uint64_t hash_key[2],
                             struct tk_arena *arena);

#endif
