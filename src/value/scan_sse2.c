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

static inline vec vec_or(vec a, vec b)
{
    return _mm_or_si128(a, b);
}

static inline vec vec_equal(vec v, uint8_t c)
{
    return _mm_cmpeq_epi8(v, _mm_set1_epi8((char)c));
}

static inline vec vec_below(vec v, uint8_t c)
{
    return _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8((char)(c - 1))), v);
}

static inline bool vec_any_high(vec v)
{
    return _mm_movemask_epi8(v) != 0;
}

static inline vec vec_short_escape(vec v)
{
    vec punctuation = vec_or(vec_equal(v, '"'), vec_or(vec_equal(v, '/'), vec_equal(v, '\\')));
    vec b_or_f = vec_equal(_mm_and_si128(v, _mm_set1_epi8((char)0xFB)), 'b');
    vec n_r_t = vec_or(vec_equal(v, 'n'), vec_or(vec_equal(v, 'r'), vec_equal(v, 't')));

    return vec_or(punctuation, vec_or(b_or_f, n_r_t));
}

/* Digits of base64 are '+', the range from '/' to '9', and letters of either case. */
static inline vec vec_base64(vec v)
{
    vec letters = _mm_sub_epi8(vec_or(v, _mm_set1_epi8(0x20)), _mm_set1_epi8('a'));
    vec digits = _mm_sub_epi8(v, _mm_set1_epi8('/'));

    return vec_or(vec_equal(v, '+'), vec_or(vec_below(letters, 26), vec_below(digits, 11)));
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
