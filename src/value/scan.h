/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: the loops over bytes. Each has a portable version and vector versions that give
 * the same answers; the best one that this CPU supports runs. Tests run all of them.
 *
 *     scan.c       the portable version, and the choice
 *     scan_block.h the vector loops, over blocks of 64 bytes, in terms of a few operations
 *     scan_sse2.c, scan_avx2.c, scan_neon.c, scan_wasm.c  these operations
 */
#ifndef TK_VALUE_SCAN_H
#define TK_VALUE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define TK_SCAN_X86 1
#include <emmintrin.h>
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define TK_SCAN_NEON 1
#elif defined(__wasm_simd128__)
#define TK_SCAN_WASM 1
#include <wasm_simd128.h>
#endif

/* The bytes that a scan passed before it stopped. */
struct tk_scan {
    size_t n;     /* bytes */
    bool ascii;   /* none of them is above 0x7f */
    bool escaped; /* one of them is a backslash */
};

struct tk_scan_variant {
    const char *name;
    bool (*supported)(void); /* by this CPU */
    /* Returns the length of the longest well-formed UTF-8 prefix. */
    size_t (*utf8_valid)(const uint8_t *bytes, size_t n);
    /* Passes plain bytes: stops at '"', '\\' and control characters. */
    struct tk_scan (*plain)(const uint8_t *bytes, size_t n);
    /*
     * Passes the inside of a JSON string, plain bytes and whole two-character escapes: stops at
     * the closing quote, a control character, a \u, a broken escape or the end.
     */
    struct tk_scan (*string)(const uint8_t *bytes, size_t n);
    /* Counts the leading digits of base64. */
    size_t (*base64)(const uint8_t *bytes, size_t n);
};

/* Best first; the last one is the portable one. */
extern const struct tk_scan_variant *const tk_scan_variants[];
extern const size_t tk_scan_variant_count;

extern const struct tk_scan_variant tk_scan_avx2, tk_scan_sse2, tk_scan_neon, tk_scan_wasm;
extern const struct tk_scan_variant tk_scan_portable;

/* Run `string` and `base64` of the best variant. */
struct tk_scan tk_scan_string(const uint8_t *bytes, size_t n);
size_t tk_scan_base64(const uint8_t *bytes, size_t n);

/*
 * Passes whole well-formed UTF-8 sequences until it passed `enough` bytes or more, or met an error.
 * Returns how many bytes it passed.
 */
size_t tk_utf8_valid_some(const uint8_t *bytes, size_t n, size_t enough);

#if defined(TK_SCAN_X86)
#define TK_SCAN_16 1

/* Returns the bits of those of 16 bytes that are quotes, backslashes, control characters or above
 * 0x7f: as signed numbers these are below 0x20, too. */
static inline unsigned tk_stops_16(const uint8_t *bytes)
{
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)bytes);
    __m128i quotes = _mm_cmpeq_epi8(v, _mm_set1_epi8('"'));
    __m128i others = _mm_or_si128(_mm_cmpeq_epi8(v, _mm_set1_epi8('\\')),
                                  _mm_cmplt_epi8(v, _mm_set1_epi8(0x20)));

    return (unsigned)_mm_movemask_epi8(_mm_or_si128(quotes, others));
}

/* Returns the bits of those of 16 bytes that are above 0x7f. */
static inline unsigned tk_high_16(const uint8_t *bytes)
{
    return (unsigned)_mm_movemask_epi8(_mm_loadu_si128((const __m128i *)(const void *)bytes));
}
#elif defined(TK_SCAN_WASM)
#define TK_SCAN_16 1

static inline unsigned tk_stops_16(const uint8_t *bytes)
{
    v128_t v = wasm_v128_load(bytes);
    v128_t quotes = wasm_i8x16_eq(v, wasm_i8x16_splat('"'));
    v128_t others = wasm_v128_or(wasm_i8x16_eq(v, wasm_i8x16_splat('\\')),
                                 wasm_i8x16_lt(v, wasm_i8x16_splat(0x20)));

    return (unsigned)wasm_i8x16_bitmask(wasm_v128_or(quotes, others));
}

static inline unsigned tk_high_16(const uint8_t *bytes)
{
    return (unsigned)wasm_i8x16_bitmask(wasm_v128_load(bytes));
}
#endif

/*
 * Finds the end of a short string: true if a quote ends it within 32 bytes and only plain ASCII is
 * before the quote; *ret_n is then its size in bytes. It is inline, since most strings of a document
 * are short and a call costs more than the scan.
 */
static inline bool tk_scan_short_string(const uint8_t *bytes, size_t n, size_t *ret_n)
{
#ifdef TK_SCAN_16
    size_t i = 0;

    for (; i < 32 && n - i >= 16; i += 16) {
        unsigned stops = tk_stops_16(bytes + i);

        if (stops != 0) {
            unsigned at = (unsigned)__builtin_ctz(stops);

            *ret_n = i + at;
            return bytes[i + at] == '"';
        }
    }
    /* The last string of a small document ends close to its end. */
    for (; i < 32 && i < n; i++)
        if (bytes[i] == '"' || bytes[i] == '\\' || bytes[i] < 0x20 || bytes[i] > 0x7F) {
            *ret_n = i;
            return bytes[i] == '"';
        }
#else
    (void)bytes, (void)n, (void)ret_n;
#endif
    return false;
}

/*
 * True if a msgpack str of n bytes is ASCII, has at most 32 bytes, and `room` bytes, which may be
 * read from its start, are at least 32. False says nothing about the bytes.
 */
static inline bool tk_short_ascii(const uint8_t *bytes, size_t n, size_t room)
{
#ifdef TK_SCAN_16
    if (n <= 32 && room >= 32) {
        uint64_t bits = tk_high_16(bytes) | (uint64_t)tk_high_16(bytes + 16) << 16;

        return (bits & (((uint64_t)1 << n) - 1)) == 0;
    }
#else
    (void)bytes, (void)n, (void)room;
#endif
    return false;
}

#endif
