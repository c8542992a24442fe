/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_plain.h"

#include "value/scan.h"

#ifdef TK_SCAN_X86
#define TARGET

/* Any compiler for this CPU may use SSE2. */
static inline uint64_t stops(const uint8_t *p)
{
    const __m128i quote_bit = _mm_set1_epi8(TK_JSON_QUOTE_BIT), space = _mm_set1_epi8(0x20);
    const __m128i backslash = _mm_set1_epi8('\\');
    uint64_t plain = 0;

#pragma GCC unroll 4
    for (unsigned i = 0; i < 4; i++) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + 16 * i));
        __m128i above = _mm_cmpgt_epi8(_mm_xor_si128(v, quote_bit), space);
        __m128i bytes_plain = _mm_andnot_si128(_mm_cmpeq_epi8(v, backslash), above);

        plain |= (uint64_t)(unsigned)_mm_movemask_epi8(bytes_plain) << (16 * i);
    }
    return ~plain;
}

#include "value/json_plain_loop.h"
#endif

static bool always(void)
{
    return true;
}

#ifdef TK_SCAN_X86
const struct tk_json_plain tk_json_plain_sse2 = {"sse2", always, read_plain};
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
#endif
    &tk_json_plain_none,
};

const size_t tk_json_plain_variant_count =
    sizeof(tk_json_plain_variants) / sizeof(tk_json_plain_variants[0]);
