/* SPDX-License-Identifier: Apache-2.0 */
/* The operations with the 128-bit vectors of WebAssembly, which are fixed when the module is built. */
#include "value/scan.h"

#ifdef TK_SCAN_WASM
#define TARGET
#define VECS 4u
#define HAVE_LOOKUP

typedef v128_t vec;

static inline vec vec_load(const uint8_t *p)
{
    return wasm_v128_load(p);
}

static inline vec vec_fill(uint8_t c)
{
    return wasm_u8x16_splat(c);
}

static inline vec vec_or(vec a, vec b)
{
    return wasm_v128_or(a, b);
}

static inline vec vec_and(vec a, vec b)
{
    return wasm_v128_and(a, b);
}

static inline vec vec_xor(vec a, vec b)
{
    return wasm_v128_xor(a, b);
}

static inline vec vec_equal(vec v, uint8_t c)
{
    return wasm_i8x16_eq(v, vec_fill(c));
}

static inline vec vec_below(vec v, uint8_t c)
{
    return wasm_u8x16_lt(v, vec_fill(c));
}

static inline vec vec_wrapping_minus(vec v, uint8_t c)
{
    return wasm_i8x16_sub(v, vec_fill(c));
}

static inline vec vec_minus(vec v, uint8_t c)
{
    return wasm_u8x16_sub_sat(v, vec_fill(c));
}

static inline bool vec_any(vec v)
{
    return wasm_v128_any_true(v);
}

static inline bool vec_any_high(vec v)
{
    return wasm_i8x16_bitmask(v) != 0;
}

static inline vec vec_low_nibble(vec v)
{
    return vec_and(v, vec_fill(0x0F));
}

static inline vec vec_high_nibble(vec v)
{
    return wasm_u8x16_shr(v, 4);
}

static inline vec vec_lookup(const uint8_t table[16], vec v)
{
    return wasm_i8x16_swizzle(wasm_v128_load(table), v);
}

static inline uint64_t vec_bits(const vec v[VECS])
{
    uint64_t bits = 0;

    for (size_t i = 0; i < VECS; i++)
        bits |= (uint64_t)wasm_i8x16_bitmask(v[i]) << (16 * i);
    return bits;
}

static bool supported(void)
{
    return true;
}

#include "value/scan_block.h"

SCAN_VARIANT(tk_scan_wasm);
#endif
