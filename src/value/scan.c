/* SPDX-License-Identifier: Apache-2.0 */
#include "value/scan.h"

#include "value/unicode.h"

/* ---- UTF-8 ---- */

/*
 * The well-formed sequences of Unicode 15 table 3-7: by lead byte, their length and the range of the
 * second byte. Later bytes are 80..BF.
 */
static const struct sequence {
    uint8_t lead_first, lead_last, length, second_first, second_last;
} sequences[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

/* Returns the length of the sequence of several bytes at p; 0 if there is no well-formed one. */
static size_t sequence_length(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++) {
        const struct sequence *s = &sequences[i];

        if (p[0] > s->lead_last)
            continue;
        if (p[0] < s->lead_first || n < s->length || p[1] < s->second_first ||
            p[1] > s->second_last)
            return 0;
        for (size_t k = 2; k < s->length; k++)
            if ((p[k] & 0xC0) != 0x80)
                return 0;
        return s->length;
    }
    return 0;
}

static bool ascii8(const uint8_t *p)
{
    uint64_t word;

    memcpy(&word, p, sizeof(word));
    return (word & 0x8080808080808080) == 0;
}

size_t tk_utf8_valid_some(const uint8_t *bytes, size_t n, size_t enough)
{
    size_t i = 0;

    while (i < enough) {
        size_t length;

        if (n - i >= 8 && ascii8(bytes + i)) {
            i += 8;
            continue;
        }
        length = bytes[i] < 0x80 ? 1 : sequence_length(bytes + i, n - i);
        if (length == 0)
            break;
        i += length;
    }
    return i;
}

static size_t utf8_valid(const uint8_t *bytes, size_t n)
{
    return tk_utf8_valid_some(bytes, n, n);
}

/* ---- JSON strings ---- */

static struct tk_scan scan_plain(const uint8_t *bytes, size_t n)
{
    uint8_t seen = 0;
    size_t i = 0;

    for (; i < n && bytes[i] >= 0x20 && bytes[i] != '"' && bytes[i] != '\\'; i++)
        seen |= bytes[i];
    return (struct tk_scan){i, seen < 0x80, false};
}

/* The second bytes of two-character escapes. */
static const bool short_escape[256] = {
    ['"'] = true, ['/'] = true, ['\\'] = true, ['b'] = true,
    ['f'] = true, ['n'] = true, ['r'] = true,  ['t'] = true,
};

static struct tk_scan scan_string(const uint8_t *bytes, size_t n)
{
    struct tk_scan scan = {0, true, false};

    for (;;) {
        struct tk_scan plain = scan_plain(bytes + scan.n, n - scan.n);

        scan.n += plain.n;
        scan.ascii &= plain.ascii;
        if (n - scan.n < 2 || bytes[scan.n] != '\\' || !short_escape[bytes[scan.n + 1]])
            return scan;
        scan.escaped = true;
        scan.n += 2;
    }
}

/* ---- base64 ---- */

static const bool base64_digit[256] = {
    ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['0' ... '9'] = true, ['+'] = true, ['/'] = true,
};

static size_t scan_base64(const uint8_t *bytes, size_t n)
{
    size_t i = 0;

    while (i < n && base64_digit[bytes[i]])
        i++;
    return i;
}

/* ---- the choice ---- */

static bool always(void)
{
    return true;
}

const struct tk_scan_variant tk_scan_portable = {
    "portable", always, utf8_valid, scan_plain, scan_string, scan_base64,
};

const struct tk_scan_variant *const tk_scan_variants[] = {
#if defined(TK_SCAN_X86)
    &tk_scan_avx2,
    &tk_scan_sse2,
#elif defined(TK_SCAN_NEON)
    &tk_scan_neon,
#elif defined(TK_SCAN_WASM)
    &tk_scan_wasm,
#endif
    &tk_scan_portable,
};

const size_t tk_scan_variant_count = sizeof(tk_scan_variants) / sizeof(tk_scan_variants[0]);

/* Returns the best variant. It asks the CPU each time, which costs a load; a cached answer would be
 * global state. */
static inline const struct tk_scan_variant *best(void)
{
#if defined(TK_SCAN_X86)
    return __builtin_cpu_supports("avx2") ? &tk_scan_avx2 : &tk_scan_sse2;
#elif defined(TK_SCAN_NEON)
    return &tk_scan_neon;
#elif defined(TK_SCAN_WASM)
    return &tk_scan_wasm;
#else
    return &tk_scan_portable;
#endif
}

struct tk_scan tk_scan_string(const uint8_t *bytes, size_t n)
{
    return best()->string(bytes, n);
}

size_t tk_scan_base64(const uint8_t *bytes, size_t n)
{
    return best()->base64(bytes, n);
}

size_t tk_utf8_valid(const void *bytes, size_t n)
{
    return best()->utf8_valid(bytes, n);
}

size_t tk_scan_plain(const uint8_t *bytes, size_t n, bool *ret_ascii)
{
    struct tk_scan scan = best()->plain(bytes, n);

    *ret_ascii = scan.ascii;
    return scan.n;
}
