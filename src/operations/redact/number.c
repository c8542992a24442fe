/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/redact/redact_inside.h"
#include "value/hash.h"

/* Factors that permute the numbers below 9, and those below 10: prime to the modulus. */
static const uint8_t factors_of_9[] = {1, 2, 4, 5, 7, 8}, factors_of_10[] = {1, 3, 7, 9};

static uint32_t permuted(uint32_t digit, uint64_t word, const uint8_t *factors, size_t n,
                         uint32_t modulus)
{
    return (digit * factors[(word >> 32) % n] + (uint32_t)word % modulus) % modulus;
}

/* Equal numbers are replaced by equal ones and different ones by different ones, because rules compare the
 * arguments of calls. Each digit is permuted by what came before it; the first one is replaced by 0 only if it is 0. */
void tk_redact_number(const uint64_t key[2], struct tk_spelled text)
{
    struct {
        uint64_t word, c;
    } before = {0, 0};
    bool first = true;

    while (text.at < text.end) {
        uint32_t c;
        size_t n = tk_spelled_read(text.at, text.end, text.depth, &c);

        if (c == 'e' || c == 'E')
            return;
        before.word = tk_hash(key, &before, sizeof(before));
        before.c = c;
        if (c >= '0' && c <= '9') {
            if (!first)
                c = '0' + permuted(c - '0', before.word, factors_of_10, sizeof(factors_of_10), 10);
            else if (c != '0')
                c = '1' + permuted(c - '1', before.word, factors_of_9, sizeof(factors_of_9), 9);
            tk_spelled_write(text.at, n, text.depth, c);
            first = false;
        }
        text.at += n;
    }
}

/* ---- msgpack ---- */

/* Returns how many bytes of a number's encoding stay, and in *ret_kept the bits that stay of the one
 * after them: what says which kind of number it is, the sign of an integer, and sign and exponent of
 * a float. */
static size_t header_of(uint8_t first, uint8_t *ret_kept)
{
    *ret_kept = 0;
    if (first < 0x80 || first >= 0xE0) { /* one byte that is header and number */
        *ret_kept = first < 0x80 ? 0x80 : 0xE0;
        return 0;
    }
    if (first == 0xCA || first == 0xCB)
        return 3;
    *ret_kept = first >= 0xD0 ? 0x80 : 0;
    return 1;
}

void tk_redact_encoded_number(const uint64_t key[2], uint8_t *encoded, size_t n)
{
    struct {
        uint64_t word, byte;
    } before = {0, encoded[0]};
    uint8_t kept;
    size_t header = header_of(encoded[0], &kept);

    if (header == 0)
        before.byte &= kept;
    for (size_t i = header; i < n; i++) {
        uint8_t byte = encoded[i];

        before.word = tk_hash(key, &before, sizeof(before));
        before.byte = byte;
        encoded[i] ^= (uint8_t)before.word & ~kept;
        kept = 0;
    }
}
