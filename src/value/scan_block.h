/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The vector loops. They work on blocks of 64 bytes, so that a uint64_t has one bit for each byte of
 * a block, bit i for byte i. Before including this, a file defines:
 *
 *     TARGET             attributes of every function: the instructions that it may use
 *     vec, VECS          the vector type, and how many vectors are 64 bytes
 *     vec_load(p)        vec_or(a, b)      vec_and(a, b)     vec_fill(c)
 *     vec_equal(v, c)    vec_below(v, c)   all bits set in the bytes that are equal to, below c
 *     vec_wrapping_minus(v, c)             c subtracted from each byte, modulo 256
 *     vec_any_high(v)                      true if a byte is above 0x7f
 *     vec_bits(v)                          for VECS vectors, bit i: the highest bit of byte i
 * where it is quicker than the one below:
 *     HAVE_SHORT_ESCAPE, vec_short_escape(v)
 * and, to check UTF-8 without a loop over characters:
 *     HAVE_LOOKUP, vec_lookup(table, v)    16-byte table, indexes 0..15
 *     vec_xor, vec_high_nibble, vec_low_nibble, vec_minus(v, c) saturating,
 *     vec_any(v)                           true if a bit is set
 */
#ifndef TK_VALUE_SCAN_BLOCK_H
#define TK_VALUE_SCAN_BLOCK_H

#include "value/scan.h"

#include <string.h>

#define BLOCK       64u
#define LOOK_BEHIND 3u /* the most bytes that a character has before its last one */

#ifndef HAVE_SHORT_ESCAPE
/* Sets all bits of the bytes that end an escape of two characters. */
TARGET static inline vec vec_short_escape(vec v)
{
    vec punctuation = vec_or(vec_equal(v, '"'), vec_or(vec_equal(v, '/'), vec_equal(v, '\\')));
    vec b_or_f = vec_equal(vec_and(v, vec_fill(0xFB)), 'b');
    vec n_r_t = vec_or(vec_equal(v, 'n'), vec_or(vec_equal(v, 'r'), vec_equal(v, 't')));

    return vec_or(punctuation, vec_or(b_or_f, n_r_t));
}
#endif

/* Sets all bits of the digits of base64: '+', the range from '/' to '9', and letters of either case. */
TARGET static inline vec vec_base64(vec v)
{
    vec letters = vec_wrapping_minus(vec_or(v, vec_fill(0x20)), 'a');
    vec digits = vec_wrapping_minus(v, '/');

    return vec_or(vec_equal(v, '+'), vec_or(vec_below(letters, 26), vec_below(digits, 11)));
}

struct block {
    vec v[VECS];
};

TARGET static inline struct block block_load(const uint8_t *p)
{
    struct block b;

    for (size_t i = 0; i < VECS; i++)
        b.v[i] = vec_load(p + i * sizeof(vec));
    return b;
}

TARGET static inline struct block block_or(struct block a, struct block b)
{
    for (size_t i = 0; i < VECS; i++)
        a.v[i] = vec_or(a.v[i], b.v[i]);
    return a;
}

TARGET static inline uint64_t block_equal(struct block b, uint8_t c)
{
    for (size_t i = 0; i < VECS; i++)
        b.v[i] = vec_equal(b.v[i], c);
    return vec_bits(b.v);
}

TARGET static inline uint64_t block_short_escape(struct block b)
{
    for (size_t i = 0; i < VECS; i++)
        b.v[i] = vec_short_escape(b.v[i]);
    return vec_bits(b.v);
}

/* Returns the bits of quotes, backslashes and control characters. */
TARGET static inline uint64_t block_special(struct block b)
{
    for (size_t i = 0; i < VECS; i++)
        b.v[i] = vec_or(vec_or(vec_equal(b.v[i], '"'), vec_equal(b.v[i], '\\')),
                        vec_below(b.v[i], 0x20));
    return vec_bits(b.v);
}

TARGET static inline bool block_any_high(struct block b)
{
    vec all = b.v[0];

    for (size_t i = 1; i < VECS; i++)
        all = vec_or(all, b.v[i]);
    return vec_any_high(all);
}

/* ---- JSON strings ---- */

/* Loads less than a block, padded with NULs, at which every scan stops. */
TARGET __attribute__((noinline)) static struct block block_rest(const uint8_t *bytes, size_t n)
{
    uint8_t rest[BLOCK] = {0};

    memcpy(rest, bytes, n);
    return block_load(rest);
}

TARGET static inline struct block block_at(const uint8_t *bytes, size_t n, size_t i)
{
    return n - i >= BLOCK ? block_load(bytes + i) : block_rest(bytes + i, n - i);
}

static inline uint64_t bits_before(unsigned at)
{
    return ((uint64_t)1 << at) - 1;
}

TARGET static struct tk_scan scan_plain(const uint8_t *bytes, size_t n)
{
    uint64_t high = 0;

    for (size_t i = 0;; i += BLOCK) {
        struct block b = block_at(bytes, n, i);
        uint64_t stops = block_special(b);

        if (stops != 0) {
            unsigned at = (unsigned)__builtin_ctzll(stops);

            high |= vec_bits(b.v) & bits_before(at);
            return (struct tk_scan){i + at, high == 0, false};
        }
        high |= vec_bits(b.v);
    }
}

/*
 * Returns the bits of the bytes that a backslash before them escapes. In a run of backslashes every
 * second one is itself escaped, so it matters if a run's length is even or odd. Adding the bits of
 * the runs' starts to the runs carries into the bit after each run; together with the start, even or
 * odd, this bit gives the length's parity (Langdale and Lemire, "Parsing gigabytes of JSON per
 * second", 3.1.1). *open: the byte before the block is a backslash that escapes the block's first
 * byte; on return, the same of this block and the next.
 */
static inline uint64_t escaped_bytes(uint64_t backslashes, uint64_t *open)
{
    const uint64_t even = 0x5555555555555555;
    uint64_t after, odd_starts, carried, ends;

    backslashes &= ~*open;
    after = backslashes << 1 | *open;
    odd_starts = backslashes & ~even & ~after;
    *open = __builtin_add_overflow(odd_starts, backslashes, &carried);
    ends = carried << 1;
    return (even ^ ends) & after;
}

TARGET static struct tk_scan scan_string(const uint8_t *bytes, size_t n)
{
    uint64_t high = 0, any_escaped = 0, open = 0;

    for (size_t i = 0;; i += BLOCK) {
        struct block b = block_at(bytes, n, i);
        uint64_t stops = block_special(b), backslashes = 0, escaped = 0;

        if ((stops | open) != 0)
            backslashes = block_equal(b, '\\');
        if ((backslashes | open) != 0) {
            escaped = escaped_bytes(backslashes, &open);
            /* Doesn't stop at backslashes that begin an escape, and valid bytes that end one. */
            stops &= ~(backslashes | escaped);
            stops |= escaped & ~block_short_escape(b);
        }
        if (stops != 0) {
            unsigned at = (unsigned)__builtin_ctzll(stops);

            high |= vec_bits(b.v) & bits_before(at);
            any_escaped |= escaped & bits_before(at);
            /* A broken escape begins at its backslash, which may be in the block before. */
            return (struct tk_scan){i + at - (escaped >> at & 1), high == 0, any_escaped != 0};
        }
        high |= vec_bits(b.v);
        any_escaped |= escaped;
    }
}

/* ---- base64 ---- */

TARGET static size_t scan_base64(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0;; i += BLOCK) {
        struct block b = block_at(bytes, n, i);
        uint64_t digits;

        for (size_t k = 0; k < VECS; k++)
            b.v[k] = vec_base64(b.v[k]);
        digits = vec_bits(b.v);
        if (digits != UINT64_MAX)
            return i + (size_t)__builtin_ctzll(~digits);
    }
}

/* ---- UTF-8 ---- */

#ifdef HAVE_LOOKUP
/*
 * Two adjacent bytes show every error of UTF-8, except a missing or surplus third or fourth byte of
 * a character. Three lookups give the errors that are possible with the high nibble of the first
 * byte, with its low nibble, and with the high nibble of the second byte; an error that all three
 * allow has occurred (Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte").
 */
enum {
    TOO_SHORT = 1 << 0,         /* a lead byte, then no continuation */
    TOO_LONG = 1 << 1,          /* ASCII, then a continuation */
    OVERLONG_3 = 1 << 2,        /* E0, then 80..9F */
    TOO_LARGE = 1 << 3,         /* F4 and above, then 90..BF */
    SURROGATE = 1 << 4,         /* ED, then A0..BF */
    OVERLONG_2 = 1 << 5,        /* C0 or C1, then a continuation */
    OVERLONG_4 = 1 << 6,        /* F0, then 80..8F */
    TOO_LARGE_1000 = 1 << 6,    /* F5 and above, then 80..8F */
    TWO_CONTINUATIONS = 1 << 7, /* valid only if the second is a third or fourth byte */
    /* Errors that are possible with any low nibble of the first byte; with any continuation as
     * second byte. */
    ANY_LOW = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS,
    ANY_CONTINUATION = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS,
};

static const uint8_t first_high[16] = {
    [0x0 ... 0x7] = TOO_LONG,
    [0x8 ... 0xB] = TWO_CONTINUATIONS,
    [0xC] = TOO_SHORT | OVERLONG_2,
    [0xD] = TOO_SHORT,
    [0xE] = TOO_SHORT | OVERLONG_3 | SURROGATE,
    [0xF] = TOO_SHORT | OVERLONG_4 | TOO_LARGE | TOO_LARGE_1000,
};

static const uint8_t first_low[16] = {
    [0x0] = ANY_LOW | OVERLONG_2 | OVERLONG_3 | OVERLONG_4,
    [0x1] = ANY_LOW | OVERLONG_2,
    [0x2 ... 0x3] = ANY_LOW,
    [0x4] = ANY_LOW | TOO_LARGE,
    [0x5 ... 0xC] = ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
    [0xD] = ANY_LOW | TOO_LARGE | TOO_LARGE_1000 | SURROGATE,
    [0xE ... 0xF] = ANY_LOW | TOO_LARGE | TOO_LARGE_1000,
};

static const uint8_t second_high[16] = {
    [0x0 ... 0x7] = TOO_SHORT,
    [0x8] = ANY_CONTINUATION | OVERLONG_3 | OVERLONG_4 | TOO_LARGE_1000,
    [0x9] = ANY_CONTINUATION | OVERLONG_3 | TOO_LARGE,
    [0xA ... 0xB] = ANY_CONTINUATION | SURROGATE | TOO_LARGE,
    [0xC ... 0xF] = TOO_SHORT,
};

/* Returns a vector with errors where bytes aren't 0, for the bytes at p. Reads the three bytes before
 * p, too. */
TARGET static inline vec vec_utf8_errors(const uint8_t *p)
{
    vec at = vec_load(p), one = vec_load(p - 1), two = vec_load(p - 2), three = vec_load(p - 3);
    vec pairs = vec_and(vec_and(vec_lookup(first_high, vec_high_nibble(one)),
                                vec_lookup(first_low, vec_low_nibble(one))),
                        vec_lookup(second_high, vec_high_nibble(at)));
    /* Two adjacent continuations are required for third and fourth bytes, and an error elsewhere. */
    vec wanted = vec_or(vec_minus(two, 0xE0 - 0x80), vec_minus(three, 0xF0 - 0x80));

    return vec_xor(vec_and(wanted, vec_fill(0x80)), pairs);
}

/*
 * Checks the block at p as the continuation of the bytes before it. Returns how many bytes it
 * checked, 0 if there is an error among them.
 */
TARGET static inline size_t check_block(const uint8_t *p, size_t n)
{
    vec errors = vec_fill(0);

    (void)n;
    for (size_t i = 0; i < VECS; i++)
        errors = vec_or(errors, vec_utf8_errors(p + i * sizeof(vec)));
    return vec_any(errors) ? 0 : BLOCK;
}
#else
TARGET static inline size_t check_block(const uint8_t *p, size_t n)
{
    size_t done = tk_utf8_valid_some(p, n, BLOCK);

    return done < BLOCK ? 0 : done;
}
#endif

/* Returns where the character of byte i - 1 begins if it may continue at i; else i. */
static inline size_t step_back(const uint8_t *bytes, size_t i)
{
    for (size_t k = 0; k < 3 && i > 0 && (bytes[i - 1] & 0xC0) == 0x80; k++)
        i--;
    return i > 0 && bytes[i - 1] >= 0xC0 ? i - 1 : i;
}

/* True if n bytes are ASCII; n is at least the size of a vector, and less than a block. */
TARGET static inline bool short_ascii(const uint8_t *bytes, size_t n)
{
    vec all = vec_load(bytes + n - sizeof(vec));

    for (size_t i = 0; i + sizeof(vec) < n; i += sizeof(vec))
        all = vec_or(all, vec_load(bytes + i));
    return !vec_any_high(all);
}

#define RUN (4 * BLOCK) /* checked at once, since ASCII text is mostly long */

TARGET static inline bool run_any_high(const uint8_t *p)
{
    struct block low = block_or(block_load(p), block_load(p + BLOCK));
    struct block high = block_or(block_load(p + 2 * BLOCK), block_load(p + 3 * BLOCK));

    return block_any_high(block_or(low, high));
}

/* Passes the whole blocks that are valid; *open: a character may continue after them. Returns how
 * many bytes it passed. */
TARGET static inline size_t utf8_blocks(const uint8_t *bytes, size_t n, bool *open)
{
    size_t i = 0;

    *open = false;
    while (n - i >= BLOCK) {
        bool high;
        size_t done = BLOCK;

        if (!*open && n - i >= RUN && !run_any_high(bytes + i)) {
            i += RUN;
            continue;
        }
        high = block_any_high(block_load(bytes + i));
        if (high || *open) {
            done = i < LOOK_BEHIND ? tk_utf8_valid_some(bytes + i, n - i, LOOK_BEHIND)
                                   : check_block(bytes + i, n - i);
            if (done < LOOK_BEHIND)
                break;
        }
        *open = high;
        i += done;
    }
    return i;
}

TARGET static size_t utf8_valid(const uint8_t *bytes, size_t n)
{
    bool open;
    size_t i;

    if (n < BLOCK) {
        if (n >= sizeof(vec) && short_ascii(bytes, n))
            return n;
        return tk_utf8_valid_some(bytes, n, n);
    }
    i = utf8_blocks(bytes, n, &open);
    /* The rest is less than a block, or begins with an error. If it is short, checking the last
     * block of the text, which includes it, may be enough. */
    if (n - i < BLOCK && !open && !block_any_high(block_load(bytes + n - BLOCK)))
        return n;
#ifdef HAVE_LOOKUP
    if (n - i < BLOCK && n >= BLOCK + LOOK_BEHIND && check_block(bytes + n - BLOCK, BLOCK) != 0)
        i = n;
#endif
    i = step_back(bytes, i);
    return i + tk_utf8_valid_some(bytes + i, n - i, n - i);
}

#define SCAN_VARIANT(variant)                                                                      \
    const struct tk_scan_variant variant = {                                                       \
        &#variant[sizeof("tk_scan_") - 1],                                                         \
        supported,                                                                                 \
        utf8_valid,                                                                                \
        scan_plain,                                                                                \
        scan_string,                                                                               \
        scan_base64,                                                                               \
    }

#endif
