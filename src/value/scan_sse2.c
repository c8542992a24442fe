/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The operations with SSE2, which every x86-64 CPU has. SSE2 has no table lookup, so characters
 * beyond ASCII are checked one by one.
 */
#include "value/scan.h"

#ifdef TK_SCAN_X86
#define TARGET
#define VECS 4u

typedef __m128i vec;

static inline vec vec_load(const uint8_t *p)
{
    return _mm_loadu_si128((const __m128i *)(const void *)p);
}

static inline vec vec_fill(uint8_t c)
{
    return _mm_set1_epi8((char)c);
}

static inline vec vec_and(vec a, vec b)
{
    return _mm_and_si128(a, b);
}

static inline vec vec_or(vec a, vec b)
{
    return _mm_or_si128(a, b);
}

static inline vec vec_equal(vec v, uint8_t c)
{
    return _mm_cmpeq_epi8(v, vec_fill(c));
}

static inline vec vec_below(vec v, uint8_t c)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, vec_fill((uint8_t)(c - 1))), v);
}

static inline vec vec_wrapping_minus(vec v, uint8_t c)
{
    return _mm_sub_epi8(v, vec_fill(c));
}

static inline bool vec_any_high(vec v)
{
    return _mm_movemask_epi8(v) != 0;
}

static inline uint64_t vec_bits(const vec v[VECS])
{
    uint64_t bits = 0;

    for (unsigned i = 0; i < VECS; i++)
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(v[i]) << (16 * i);
    return bits;
}

static bool supported(void)
{
    return true;
}

#include "value/scan_block.h"

SCAN_VARIANT(tk_scan_sse2);
#endif
