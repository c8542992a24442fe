/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keyed hashing (SipHash-1-3), and a table of strings. A client that doesn't know the key can't
 * choose strings that collide, so it can't make a table slow.
 */
#ifndef TK_VALUE_HASH_H
#define TK_VALUE_HASH_H

#include "value/arena.h"

/* Returns the hash of n bytes under a secret key of two words. */
uint64_t tk_hash(const uint64_t key[2], const void *bytes, size_t n);

/*
 * A table from strings to numbers, by open addressing; its memory comes from the arena. It keeps
 * views: the strings, and the key, must outlive it.
 */
struct tk_map {
    struct tk_arena *arena;
    const uint64_t *key;
    struct tk_map_slot *slots;
    uint32_t capacity, count; /* slots, a power of two or 0; strings in them */
};

/* Makes an empty table, which allocates nothing until a string is put. */
void tk_map_init(struct tk_map *map, struct tk_arena *arena, const uint64_t *key);

/* Removes all strings and makes room for n. False without memory. */
bool tk_map_clear(struct tk_map *map, uint32_t n);

/*
 * Returns the number of a string, to read or write; adds the string with the number 0 if it is new
 * (*ret_new). NULL without memory. The pointer is valid until the next call.
 */
uint32_t *tk_map_put(struct tk_map *map, struct tk_str s, bool *ret_new);

/* Returns the number of a string; NULL if the table doesn't have it. */
uint32_t *tk_map_get(const struct tk_map *map, struct tk_str s);

#endif
