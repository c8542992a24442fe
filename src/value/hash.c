/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF", with one compression
 * and three finalization rounds), and the table of strings that uses it.
 */
#include "value/hash.h"

#include <endian.h>

struct sip {
    uint64_t v0, v1, v2, v3;
};

static inline uint64_t rotl(uint64_t x, unsigned bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void sip_round(struct sip *s)
{
    s->v0 += s->v1;
    s->v1 = rotl(s->v1, 13) ^ s->v0;
    s->v0 = rotl(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = rotl(s->v3, 16) ^ s->v2;
    s->v0 += s->v3;
    s->v3 = rotl(s->v3, 21) ^ s->v0;
    s->v2 += s->v1;
    s->v1 = rotl(s->v1, 17) ^ s->v2;
    s->v2 = rotl(s->v2, 32);
}

/* Loads eight bytes as a little-endian number, on any machine. */
static inline uint64_t load_word(const uint8_t *p)
{
    uint64_t x;

    memcpy(&x, p, sizeof(x));
    return le64toh(x);
}

/* Loads the last n < 8 of `total` bytes. If there are eight bytes in all, one load reads them with
 * the end of the word before and shifts that out. */
static inline uint64_t load_rest(const uint8_t *p, size_t n, size_t total)
{
    uint64_t x = 0;

    if (n == 0)
        return 0;
    if (total >= 8)
        return load_word(p + n - 8) >> (8 * (8 - n));
    for (size_t i = 0; i < n; i++)
        x |= (uint64_t)p[i] << (8 * i);
    return x;
}

uint64_t tk_hash(const uint64_t key[2], const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    const size_t total = n;
    const uint64_t last = (uint64_t)n << 56;
    struct sip s = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                    key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};

    for (; n >= 8; p += 8, n -= 8) {
        uint64_t m = load_word(p);

        s.v3 ^= m;
        sip_round(&s);
        s.v0 ^= m;
    }
    {
        uint64_t m = last | load_rest(p, n, total);

        s.v3 ^= m;
        sip_round(&s);
        s.v0 ^= m;
    }
    s.v2 ^= 0xff;
    for (int i = 0; i < 3; i++)
        sip_round(&s);
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

/* ---- strings to numbers; linear probing, at most half full ---- */

#define CAPACITY_MIN 16u
#define CAPACITY_MAX (1u << 31)

struct tk_map_slot {
    struct tk_str s; /* `.p == NULL`: the slot is free */
    uint64_t hash;
    uint32_t value;
};

void tk_map_init(struct tk_map *map, struct tk_arena *arena, const uint64_t *key)
{
    *map = (struct tk_map){.arena = arena, .key = key};
}

/* Returns the slot that has s, or the free one for it. The table has a free slot. */
static struct tk_map_slot *probe(const struct tk_map *map, struct tk_str s, uint64_t hash)
{
    for (uint32_t i = (uint32_t)hash;; i++) {
        struct tk_map_slot *slot = &map->slots[i & (map->capacity - 1)];

        if (!slot->s.p || (slot->hash == hash && tk_str_eq(slot->s, s)))
            return slot;
    }
}

bool tk_map_clear(struct tk_map *map, uint32_t n)
{
    uint32_t capacity = map->capacity ? map->capacity : CAPACITY_MIN;
    struct tk_map_slot *slots = map->slots;

    while (capacity / 2 <= n && capacity < CAPACITY_MAX)
        capacity *= 2;
    map->count = 0;
    if (capacity == map->capacity) {
        memset(slots, 0, capacity * sizeof(*slots));
        return true;
    }
    slots = tk_arena_zalloc(map->arena, capacity, sizeof(*slots));
    if (!slots)
        return false;
    map->slots = slots;
    map->capacity = capacity;
    return true;
}

static bool grow(struct tk_map *map)
{
    struct tk_map old = *map;

    if (old.capacity == CAPACITY_MAX)
        return false;
    map->capacity = old.capacity ? 2 * old.capacity : CAPACITY_MIN;
    map->slots = tk_arena_zalloc(map->arena, map->capacity, sizeof(*map->slots));
    if (!map->slots) {
        *map = old;
        return false;
    }
    for (uint32_t i = 0; i < old.capacity; i++)
        if (old.slots[i].s.p)
            *probe(map, old.slots[i].s, old.slots[i].hash) = old.slots[i];
    return true;
}

uint32_t *tk_map_put(struct tk_map *map, struct tk_str s, bool *ret_new)
{
    uint64_t hash = tk_hash(map->key, s.p, s.n);
    struct tk_map_slot *slot;

    if (!s.p)
        s.p = ""; /* an empty string: NULL marks free slots */
    if (map->count >= map->capacity / 2 && !grow(map))
        return NULL;
    slot = probe(map, s, hash);
    *ret_new = !slot->s.p;
    if (!slot->s.p) {
        *slot = (struct tk_map_slot){.s = s, .hash = hash};
        map->count++;
    }
    return &slot->value;
}

uint32_t *tk_map_get(const struct tk_map *map, struct tk_str s)
{
    struct tk_map_slot *slot;

    if (map->count == 0)
        return NULL;
    slot = probe(map, s, tk_hash(map->key, s.p, s.n));
    return slot->s.p ? &slot->value : NULL;
}
