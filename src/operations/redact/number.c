/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/redact/redact_inside.h"
#include "value/hash.h"

/* Longest number whose digits are all hashed; of a longer one the digits after them don't matter to
 * the others. */
#define HASHED 64

static size_t copy_ascii(struct tk_spelled text, char *to)
{
    size_t n = 0;

    for (uint32_t c; n < HASHED && text.at < text.end; n++) {
        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
        to[n] = (char)c;
    }
    return n;
}

/* Equal numbers are replaced by equal ones. Different ones may become equal: nothing compares the
 * numbers of an input. */
void tk_redact_number(const uint64_t key[2], struct tk_spelled text)
{
    char number[HASHED] = {0};
    uint64_t word = tk_hash(key, number, copy_ascii(text, number));
    bool first = true;

    for (uint64_t i = 0; text.at < text.end; i++) {
        uint32_t c;
        size_t n = tk_spelled_read(text.at, text.end, text.depth, &c);

        if (c == 'e' || c == 'E')
            return;
        if (c >= '0' && c <= '9') {
            if (i % 16 == 0)
                word = tk_hash(key, &word, sizeof(word));
            if (!first)
                tk_spelled_write(text.at, n, text.depth, '0' + (uint32_t)(word >> 8) % 10);
            else if (c != '0')
                tk_spelled_write(text.at, n, text.depth, '1' + (uint32_t)(word >> 8) % 9);
            first = false;
            word = word >> 4 | word << 60;
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
    uint8_t kept;
    size_t header = header_of(encoded[0], &kept);
    uint64_t word = tk_hash(key, encoded, n);

    for (size_t i = header; i < n; i++, word >>= 8) {
        encoded[i] = (uint8_t)((encoded[i] & kept) | ((uint8_t)word & ~kept));
        kept = 0;
    }
}
