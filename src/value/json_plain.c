/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_plain.h"

#include "value/scan.h"

#if defined(TK_SCAN_X86) || defined(TK_SCAN_WASM)
#define TARGET

/* Returns the bits of those of 16 bytes that are plain. */
#ifdef TK_SCAN_X86
static inline unsigned plain_bits(const uint8_t *p)
{
    /* Any compiler for this CPU may use SSE2. */
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p);
    __m128i swapped = _mm_xor_si128(v, _mm_set1_epi8(TK_JSON_QUOTE_BIT));
    __m128i above = _mm_cmpgt_epi8(swapped, _mm_set1_epi8(0x20));
    __m128i backslash = _mm_cmpeq_epi8(v, _mm_set1_epi8('\\'));

    return (unsigned)_mm_movemask_epi8(_mm_andnot_si128(backslash, above));
}
#else
static inline unsigned plain_bits(const uint8_t *p)
{
    v128_t v = wasm_v128_load(p);
    v128_t swapped = wasm_v128_xor(v, wasm_i8x16_splat(TK_JSON_QUOTE_BIT));
    v128_t above = wasm_i8x16_gt(swapped, wasm_i8x16_splat(0x20));
    v128_t backslash = wasm_i8x16_eq(v, wasm_i8x16_splat('\\'));

    return (unsigned)wasm_i8x16_bitmask(wasm_v128_andnot(above, backslash));
}
#endif

static inline uint64_t stops(const uint8_t *p)
{
    uint64_t plain = 0;

#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++)
        plain |= (uint64_t)plain_bits(p + 16 * i) << (16 * i);
    return ~plain;
}

#include "value/json_plain_loop.h"
#endif

static bool always(void)
{
    return true;
}

#if defined(TK_SCAN_X86)
const struct tk_json_plain tk_json_plain_sse2 = {"sse2", always, read_plain};
#elif defined(TK_SCAN_WASM)
const struct tk_json_plain tk_json_plain_wasm = {"wasm", always, read_plain};
#endif

static const uint8_t *read_nothing(struct tk_reader *r, const uint8_t *p)
{
    (void)r;
    return p;
}

const struct tk_json_plain tk_json_plain_none = {"none", always, read_nothing};

const struct tk_json_plain *const tk_json_plain_variants[] = {
#ifdef TK_SCAN_X86
    &tk_json_plain_avx2,
    &tk_json_plain_sse2,
#elif defined(TK_SCAN_WASM)
    &tk_json_plain_wasm,
#endif
    &tk_json_plain_none,
};

const size_t tk_json_plain_variant_count =
    sizeof(tk_json_plain_variants) / sizeof(tk_json_plain_variants[0]);
