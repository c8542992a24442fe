/* SPDX-License-Identifier: Apache-2.0 */
#include "value/scan.h"

#ifdef TK_SCAN_X86
#include <immintrin.h>

#define TARGET __attribute__((target("avx2")))
#define VECS   2u
#define HAVE_LOOKUP
#define HAVE_SHORT_ESCAPE

typedef __m256i vec;

TARGET static inline vec vec_load(const uint8_t *p)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)p);
}

TARGET static inline vec vec_fill(uint8_t c)
{
    return _mm256_set1_epi8((char)c);
}

TARGET static inline vec vec_or(vec a, vec b)
{
    return _mm256_or_si256(a, b);
}

TARGET static inline vec vec_and(vec a, vec b)
{
    return _mm256_and_si256(a, b);
}

TARGET static inline vec vec_xor(vec a, vec b)
{
    return _mm256_xor_si256(a, b);
}

TARGET static inline vec vec_equal(vec v, uint8_t c)
{
    return _mm256_cmpeq_epi8(v, vec_fill(c));
}

TARGET static inline vec vec_below(vec v, uint8_t c)
{
    return _mm256_cmpeq_epi8(_mm256_min_epu8(v, vec_fill((uint8_t)(c - 1))), v);
}

TARGET static inline vec vec_wrapping_minus(vec v, uint8_t c)
{
    return _mm256_sub_epi8(v, vec_fill(c));
}

TARGET static inline vec vec_minus(vec v, uint8_t c)
{
    return _mm256_subs_epu8(v, vec_fill(c));
}

TARGET static inline bool vec_any(vec v)
{
    return !_mm256_testz_si256(v, v);
}

TARGET static inline bool vec_any_high(vec v)
{
    return _mm256_movemask_epi8(v) != 0;
}

TARGET static inline vec vec_low_nibble(vec v)
{
    return vec_and(v, vec_fill(0x0F));
}

TARGET static inline vec vec_high_nibble(vec v)
{
    return vec_low_nibble(_mm256_srli_epi16(v, 4));
}

TARGET static inline vec vec_lookup(const uint8_t table[16], vec v)
{
    __m128i half = _mm_loadu_si128((const __m128i *)(const void *)table);

    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(half), v);
}

/*
 * The characters are '"' 22, '/' 2f, '\\' 5c, b 62, f 66, n 6e, r 72, t 74. Each high nibble has a
 * bit, and the lookups by high and by low nibble have a bit in common for these characters only.
 */
TARGET static inline vec vec_short_escape(vec v)
{
    static const uint8_t by_high[16] = {[2] = 1, [5] = 2, [6] = 4, [7] = 8};
    static const uint8_t by_low[16] = {
        [0x2] = 1 | 4 | 8, [0x4] = 8, [0x6] = 4, [0xC] = 2, [0xE] = 4, [0xF] = 1};
    vec both =
        vec_and(vec_lookup(by_high, vec_high_nibble(v)), vec_lookup(by_low, vec_low_nibble(v)));

    return _mm256_xor_si256(vec_equal(both, 0), vec_fill(0xFF));
}

TARGET static inline uint64_t vec_bits(const vec v[VECS])
{
    uint32_t low = (uint32_t)_mm256_movemask_epi8(v[0]);
    uint32_t high = (uint32_t)_mm256_movemask_epi8(v[1]);

    return (uint64_t)high << 32 | low;
}

static bool supported(void)
{
    return __builtin_cpu_supports("avx2");
}

#include "value/scan_block.h"

SCAN_VARIANT(tk_scan_avx2);
#endif
