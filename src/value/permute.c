/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A Feistel network whose halves are texts: in each round the letters of one half are moved within
 * their sets by numbers that a keyed hash draws from the other half. A round changes only one half,
 * and the other one says by how much, so each round, and all of them, can be undone: no two texts
 * become one. Sets of different sizes are no hindrance, since each letter is moved modulo the size
 * of its own set.
 */
#include "value/permute.h"

#include "value/hash.h"
#include "value/letters.h"

/* Four rounds of a good keyed hash make a permutation that can't be told from a random one (Luby
 * and Rackoff). */
#define ROUNDS 4

/* ---- the hash of a half ---- */

struct digest {
    uint64_t key[2], state;
    uint8_t bytes[512];
    size_t n;
};

static void digest_flush(struct digest *d)
{
    const uint64_t key[2] = {d->key[0] ^ d->state, d->key[1]};

    d->state = tk_hash(key, d->bytes, d->n);
    d->n = 0;
}

/* Characters above ASCII are marked by a byte that no ASCII character is. */
static void digest_put(struct digest *d, uint32_t c)
{
    if (d->n + 4 > sizeof(d->bytes))
        digest_flush(d);
    if (c < 0x80) {
        d->bytes[d->n++] = (uint8_t)c;
        return;
    }
    d->bytes[d->n++] = 0xFF;
    d->bytes[d->n++] = (uint8_t)(c >> 16);
    d->bytes[d->n++] = (uint8_t)(c >> 8);
    d->bytes[d->n++] = (uint8_t)c;
}

static uint64_t digest_of(const uint64_t key[2], int round, struct tk_spelled half)
{
    struct digest d = {.key = {key[0], key[1] + (uint64_t)round}};
    uint32_t c;

    while (half.at < half.end) {
        half.at += tk_spelled_read(half.at, half.end, half.depth, &c);
        digest_put(&d, c);
    }
    digest_flush(&d);
    return d.state;
}

/* ---- numbers drawn from it ---- */

/* Numbers below this are drawn four from 32 bits, larger ones from 32 bits of their own. */
#define SMALL 64

struct numbers {
    uint64_t key[2], words;
    uint64_t word;
    uint32_t rest; /* what is left of 32 bits after the small numbers that were drawn from them */
    unsigned small, halves;
};

static uint32_t next_32_bits(struct numbers *s)
{
    if (s->halves == 0) {
        s->word = tk_hash(s->key, &s->words, sizeof(s->words));
        s->words++;
        s->halves = 2;
    }
    s->halves--;
    s->word = s->word << 32 | s->word >> 32;
    return (uint32_t)s->word;
}

/* Draws a number below `count`. */
static uint32_t draw(struct numbers *s, uint32_t count)
{
    uint64_t product;

    if (count >= SMALL)
        return (uint32_t)((uint64_t)next_32_bits(s) * count >> 32);
    if (s->small == 0) {
        s->rest = next_32_bits(s);
        s->small = 4;
    }
    s->small--;
    product = (uint64_t)s->rest * count;
    s->rest = (uint32_t)product;
    return (uint32_t)(product >> 32);
}

/* ---- rounds ---- */

static void move_letters(struct tk_spelled half, struct numbers *by)
{
    while (half.at < half.end) {
        uint32_t c;
        size_t n = tk_spelled_read(half.at, half.end, half.depth, &c);
        struct tk_letters set = tk_letters_of(c);

        if (set.count > 1)
            tk_spelled_write(half.at, n, half.depth,
                             set.first + (c - set.first + draw(by, set.count)) % set.count);
        half.at += n;
    }
}

/* Returns the place after the first n characters that can be replaced; counts them all if n is
 * SIZE_MAX (*ret_count). */
static uint8_t *after_letters(struct tk_spelled text, size_t n, size_t *ret_count)
{
    *ret_count = 0;
    while (text.at < text.end && *ret_count < n) {
        uint32_t c;

        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
        *ret_count += tk_letters_of(c).count > 1;
    }
    return text.at;
}

void tk_permute(const uint64_t key[2], struct tk_spelled text)
{
    struct tk_spelled halves[2] = {text, text};
    size_t count, half;

    after_letters(text, SIZE_MAX, &count);
    if (count == 0)
        return;
    halves[0].end = halves[1].at = after_letters(text, count / 2, &half);
    for (int round = 0; round < ROUNDS; round++) {
        struct numbers by = {.key = {key[0], digest_of(key, round, halves[!(round & 1)])}};

        move_letters(halves[round & 1], &by);
    }
}
