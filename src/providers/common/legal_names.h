/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of tools and ids of calls: which ones a provider takes, and legal ones in the place of
 * others. A new name or id depends on nothing but the old one, so both ends of a pair get the same,
 * in every request. All of them are in the arena; `.p == NULL`: out of memory.
 */
#ifndef TK_PROVIDERS_COMMON_LEGAL_NAMES_H
#define TK_PROVIDERS_COMMON_LEGAL_NAMES_H

#include "value/arena.h"
#include "value/str.h"

/* ---- names ---- */

/* Returns true for a name of 1 to `most` characters, all of them of [a-zA-Z0-9_-]. */
bool tk_is_plain_name(struct tk_str name, size_t most);

/* Returns a legal name in the place of one that isn't: `_` for each other character, then as
 * tk_short_name() does. */
struct tk_str tk_clean_name(struct tk_arena *arena, struct tk_str name, size_t most);

/* Returns a name of at most `most` characters: a longer one becomes its first most - 9, `_` and 8
 * hex digits of its digest, so that two long names stay two; an empty one "unknown_tool". */
struct tk_str tk_short_name(struct tk_arena *arena, struct tk_str name, size_t most);

/* ---- ids ---- */

/* Returns `head` and the first `digits` hex digits of the SHA-256 of a text. Ids that keep characters
 * of the old one, and ids with a number, are in engine/pairs/new_id.h. */
struct tk_str tk_digest_id(struct tk_arena *arena, const char *head, struct tk_str text,
                           int digits);

#endif
