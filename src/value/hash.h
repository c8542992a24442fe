/* SPDX-License-Identifier: Apache-2.0 */
/* Keyed hashing (SipHash-1-3): a peer that can't know the key can't make tables degenerate. */
#ifndef TK_VALUE_HASH_H
#define TK_VALUE_HASH_H

#include "value/arena.h"

uint64_t tk_hash(const uint64_t key[2], const void *bytes, size_t n);

/*
 * A table from strings to small numbers; open addressing, grows in the arena. The strings must
 * outlive it.
 */
struct tk_map {
    struct tk_arena *arena;
    const uint64_t *key;
    struct tk_map_slot *slots;
    uint32_t capacity, count; /* capacity: a power of two, or 0 */
};

void tk_map_init(struct tk_map *map, struct tk_arena *arena, const uint64_t *key);

/* Forgets all strings and makes room for n. False when there is no memory. */
bool tk_map_clear(struct tk_map *map, uint32_t n);

/*
 * The slot of a string: *ret_new tells whether it was just made, with the value 0. NULL when
 * there is no memory. The pointer holds until the next call.
 */
uint32_t *tk_map_put(struct tk_map *map, struct tk_str s, bool *ret_new);

/* The slot of a string that is there, else NULL. */
uint32_t *tk_map_get(const struct tk_map *map, struct tk_str s);

#endif
