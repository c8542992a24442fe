/* SPDX-License-Identifier: Apache-2.0 */
/* The names of the functions are those of FIPS 180-4, section 4.1.2. */
#include "value/sha256.h"

#include <string.h>

#define ROUNDS 64

/* The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotate(uint32_t x, unsigned n)
{
    return x >> n | x << (32 - n);
}

static inline uint32_t choose(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (~x & z);
}

static inline uint32_t majority(uint32_t x, uint32_t y, uint32_t z)
{
    return (x & y) ^ (x & z) ^ (y & z);
}

static inline uint32_t big_sigma_0(uint32_t x)
{
    return rotate(x, 2) ^ rotate(x, 13) ^ rotate(x, 22);
}

static inline uint32_t big_sigma_1(uint32_t x)
{
    return rotate(x, 6) ^ rotate(x, 11) ^ rotate(x, 25);
}

static inline uint32_t small_sigma_0(uint32_t x)
{
    return rotate(x, 7) ^ rotate(x, 18) ^ x >> 3;
}

static inline uint32_t small_sigma_1(uint32_t x)
{
    return rotate(x, 17) ^ rotate(x, 19) ^ x >> 10;
}

static inline uint32_t load_be32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_be32(uint8_t *p, uint32_t word)
{
    for (unsigned i = 0; i < 4; i++)
        p[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* Makes the 64 words that the rounds take of one block. */
static void expand(const uint8_t *block, uint32_t w[ROUNDS])
{
    for (size_t i = 0; i < 16; i++)
        w[i] = load_be32(block + 4 * i);
    for (size_t i = 16; i < ROUNDS; i++)
        w[i] = small_sigma_1(w[i - 2]) + w[i - 7] + small_sigma_0(w[i - 15]) + w[i - 16];
}

static void add_block(uint32_t words[8], const uint8_t *block)
{
    uint32_t w[ROUNDS];
    uint32_t a = words[0], b = words[1], c = words[2], d = words[3];
    uint32_t e = words[4], f = words[5], g = words[6], h = words[7];

    expand(block, w);
    for (size_t i = 0; i < ROUNDS; i++) {
        uint32_t first = h + big_sigma_1(e) + choose(e, f, g) + constants[i] + w[i];
        uint32_t second = big_sigma_0(a) + majority(a, b, c);

        h = g, g = f, f = e, e = d + first;
        d = c, c = b, b = a, a = first + second;
    }
    words[0] += a, words[1] += b, words[2] += c, words[3] += d;
    words[4] += e, words[5] += f, words[6] += g, words[7] += h;
}

void tk_sha256_begin(struct tk_sha256 *sha)
{
    /* The first 32 bits of the fractional parts of the square roots of the first 8 primes. */
    *sha = (struct tk_sha256){.words = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                        0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void tk_sha256_add(struct tk_sha256 *sha, const void *bytes, size_t n)
{
    const uint8_t *p = bytes;
    size_t waiting = sha->size % TK_SHA256_BLOCK;

    sha->size += n;
    if (waiting > 0) {
        size_t room = TK_SHA256_BLOCK - waiting, taken = n < room ? n : room;

        if (taken > 0)
            memcpy(sha->block + waiting, p, taken);
        if (taken < room)
            return;
        add_block(sha->words, sha->block);
        p += taken;
        n -= taken;
    }
    for (; n >= TK_SHA256_BLOCK; p += TK_SHA256_BLOCK, n -= TK_SHA256_BLOCK)
        add_block(sha->words, p);
    if (n > 0)
        memcpy(sha->block, p, n);
}

void tk_sha256_end(struct tk_sha256 *sha, uint8_t ret_digest[TK_SHA256_SIZE])
{
    static const uint8_t padding[TK_SHA256_BLOCK] = {0x80};
    const size_t before_size = TK_SHA256_BLOCK - 8;
    size_t waiting = sha->size % TK_SHA256_BLOCK;
    uint64_t bits = sha->size * 8;
    uint8_t size[8];

    tk_sha256_add(sha, padding,
                  (waiting < before_size ? before_size : before_size + TK_SHA256_BLOCK) - waiting);
    store_be32(size, (uint32_t)(bits >> 32));
    store_be32(size + 4, (uint32_t)bits);
    tk_sha256_add(sha, size, sizeof(size));
    for (size_t i = 0; i < 8; i++)
        store_be32(ret_digest + 4 * i, sha->words[i]);
}
