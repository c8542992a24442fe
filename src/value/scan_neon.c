/* SPDX-License-Identifier: Apache-2.0 */
#include "value/scan.h"

#ifdef TK_SCAN_NEON
#include <arm_neon.h>

#define TARGET
#define VECS 4u
#define HAVE_LOOKUP

typedef uint8x16_t vec;

static inline vec vec_load(const uint8_t *p)
{
    return vld1q_u8(p);
}

static inline vec vec_fill(uint8_t c)
{
    return vdupq_n_u8(c);
}

static inline vec vec_or(vec a, vec b)
{
    return vorrq_u8(a, b);
}

static inline vec vec_and(vec a, vec b)
{
    return vandq_u8(a, b);
}

static inline vec vec_xor(vec a, vec b)
{
    return veorq_u8(a, b);
}

static inline vec vec_equal(vec v, uint8_t c)
{
    return vceqq_u8(v, vec_fill(c));
}

static inline vec vec_below(vec v, uint8_t c)
{
    return vcltq_u8(v, vec_fill(c));
}

static inline vec vec_wrapping_minus(vec v, uint8_t c)
{
    return vsubq_u8(v, vec_fill(c));
}

static inline vec vec_minus(vec v, uint8_t c)
{
    return vqsubq_u8(v, vec_fill(c));
}

static inline bool vec_any(vec v)
{
    return vmaxvq_u8(v) != 0;
}

static inline bool vec_any_high(vec v)
{
    return vmaxvq_u8(v) >= 0x80;
}

static inline vec vec_low_nibble(vec v)
{
    return vec_and(v, vec_fill(0x0F));
}

static inline vec vec_high_nibble(vec v)
{
    return vshrq_n_u8(v, 4);
}

static inline vec vec_lookup(const uint8_t table[16], vec v)
{
    return vqtbl1q_u8(vld1q_u8(table), v);
}

/*
 * NEON has no instruction that collects bits: each byte keeps one bit, that of its place among eight,
 * and adding neighbours three times folds the 64 bytes into eight.
 */
static inline uint64_t vec_bits(const vec v[VECS])
{
    static const uint8_t places[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    vec place = vld1q_u8(places), bits[VECS], sum;

    for (unsigned i = 0; i < VECS; i++)
        bits[i] = vec_and(vcgeq_u8(v[i], vec_fill(0x80)), place);
    sum = vpaddq_u8(vpaddq_u8(bits[0], bits[1]), vpaddq_u8(bits[2], bits[3]));
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u64(vreinterpretq_u64_u8(sum), 0);
}

static bool supported(void)
{
    return true;
}

#include "value/scan_block.h"

SCAN_VARIANT(tk_scan_neon);
#endif
