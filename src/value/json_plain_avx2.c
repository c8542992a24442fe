/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_plain.h"

#include "value/scan.h"

#ifdef TK_SCAN_X86
#include <immintrin.h>

/* Every CPU that has AVX2 has the instructions for bits, too. */
#define TARGET __attribute__((target("avx2,bmi,bmi2")))

TARGET static inline __m256i plain_bytes(const uint8_t *p)
{
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)p);
    __m256i above = _mm256_cmpgt_epi8(_mm256_xor_si256(v, _mm256_set1_epi8(TK_JSON_QUOTE_BIT)),
                                      _mm256_set1_epi8(0x20));

    return _mm256_andnot_si256(_mm256_cmpeq_epi8(v, _mm256_set1_epi8('\\')), above);
}

TARGET static inline uint64_t stops(const uint8_t *p)
{
    uint32_t low = (uint32_t)_mm256_movemask_epi8(plain_bytes(p));
    uint32_t high = (uint32_t)_mm256_movemask_epi8(plain_bytes(p + 32));

    return ~((uint64_t)high << 32 | low);
}

#include "value/json_plain_loop.h"

static bool supported(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2");
}

const struct tk_json_plain tk_json_plain_avx2 = {"avx2", supported, read_plain};
#endif
