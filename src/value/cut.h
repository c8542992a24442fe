/* SPDX-License-Identifier: Apache-2.0 */
/* Shortens long names and ids for answers (PROTOCOL section 7). */
#ifndef TK_VALUE_CUT_H
#define TK_VALUE_CUT_H

#include "value/arena.h"
#include "value/str.h"

#define TK_CUT_AT 256 /* bytes */

/*
 * Returns the text itself if it has at most TK_CUT_AT bytes; else as many whole characters as fit
 * into TK_CUT_AT bytes, and an ellipsis, in the arena. `.p == NULL` without memory.
 */
struct tk_str tk_cut(struct tk_str text, struct tk_arena *arena);

#endif
