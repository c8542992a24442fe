/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: the loops over bytes. Each exists in a portable version and in vector versions
 * that give the same answers; the best that this CPU has is taken. Tests run all of them.
 *
 *     scan.c       portable, and the choice
 *     scan_block.h the vector loops, in blocks of 64 bytes, written once over a few operations
 *     scan_sse2.c, scan_avx2.c, scan_neon.c  the operations
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
#endif

struct tk_scan {
    size_t n;     /* bytes that were fine */
    bool ascii;   /* none of them is above 0x7f */
    bool escaped; /* there is a backslash among them */
};

struct tk_scan_variant {
    const char *name;
    bool (*supported)(void);
    /* Length of the longest well-formed UTF-8 prefix. */
    size_t (*utf8_valid)(const uint8_t *bytes, size_t n);
    /* Goes over plain bytes: stops at '"', '\\' and control characters. */
    struct tk_scan (*plain)(const uint8_t *bytes, size_t n);
    /*
     * The inside of a JSON string: goes over plain bytes and whole two-character escapes, stops at
     * the closing quote, a control character, a \u, a broken escape or the end.
     */
    struct tk_scan (*string)(const uint8_t *bytes, size_t n);
    /* Goes over digits of base64. Returns how many there are at the front. */
    size_t (*base64)(const uint8_t *bytes, size_t n);
};

/* Best first; the last one is the portable one. */
extern const struct tk_scan_variant *const tk_scan_variants[];
extern const size_t tk_scan_variant_count;

extern const struct tk_scan_variant tk_scan_avx2, tk_scan_sse2, tk_scan_neon, tk_scan_portable;

/* The best variant's. */
struct tk_scan tk_scan_string(const uint8_t *bytes, size_t n);
size_t tk_scan_base64(const uint8_t *bytes, size_t n);

/* Goes over whole well-formed sequences until `enough` bytes or more are done. */
size_t tk_utf8_valid_some(const uint8_t *bytes, size_t n, size_t enough);

/*
 * Short strings are most of a document and a call costs more than looking at them: true, with
 * *ret_n bytes, if a quote ends the string within 32 bytes and nothing but plain ASCII is before
 * it.
 */
static inline bool tk_scan_short_string(const uint8_t *bytes, size_t n, size_t *ret_n)
{
#ifdef TK_SCAN_X86
    const __m128i quote = _mm_set1_epi8('"'), backslash = _mm_set1_epi8('\\');
    const __m128i below = _mm_set1_epi8(0x20);
    size_t i = 0;

    for (; i < 32 && n - i >= 16; i += 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        __m128i quotes = _mm_cmpeq_epi8(v, quote);
        /* Signed: bytes above 0x7f are below 0x20, too. */
        __m128i others = _mm_or_si128(_mm_cmpeq_epi8(v, backslash), _mm_cmplt_epi8(v, below));
        unsigned stops = (unsigned)_mm_movemask_epi8(_mm_or_si128(quotes, others));

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

/* The same for a str of n bytes, from which on `room` bytes may be read: true if short and ASCII.
 */
static inline bool tk_short_ascii(const uint8_t *bytes, size_t n, size_t room)
{
#ifdef TK_SCAN_X86
    if (n <= 32 && room >= 32) {
        __m128i low = _mm_loadu_si128((const __m128i *)(const void *)bytes);
        __m128i high = _mm_loadu_si128((const __m128i *)(const void *)(bytes + 16));
        uint64_t bits = (unsigned)_mm_movemask_epi8(low);

        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(high) << 16;
        return (bits & (((uint64_t)1 << n) - 1)) == 0;
    }
#else
    (void)bytes, (void)n, (void)room;
#endif
    return false;
}

#endif
