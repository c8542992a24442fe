/* SPDX-License-Identifier: Apache-2.0 */
#include "value/base64.h"

#include <errno.h>

/* A digit's value plus one; 0 for what is no digit. */
static const uint8_t digits[256] = {
    ['A'] = 1,  ['B'] = 2,  ['C'] = 3,  ['D'] = 4,  ['E'] = 5,  ['F'] = 6,  ['G'] = 7,  ['H'] = 8,
    ['I'] = 9,  ['J'] = 10, ['K'] = 11, ['L'] = 12, ['M'] = 13, ['N'] = 14, ['O'] = 15, ['P'] = 16,
    ['Q'] = 17, ['R'] = 18, ['S'] = 19, ['T'] = 20, ['U'] = 21, ['V'] = 22, ['W'] = 23, ['X'] = 24,
    ['Y'] = 25, ['Z'] = 26, ['a'] = 27, ['b'] = 28, ['c'] = 29, ['d'] = 30, ['e'] = 31, ['f'] = 32,
    ['g'] = 33, ['h'] = 34, ['i'] = 35, ['j'] = 36, ['k'] = 37, ['l'] = 38, ['m'] = 39, ['n'] = 40,
    ['o'] = 41, ['p'] = 42, ['q'] = 43, ['r'] = 44, ['s'] = 45, ['t'] = 46, ['u'] = 47, ['v'] = 48,
    ['w'] = 49, ['x'] = 50, ['y'] = 51, ['z'] = 52, ['0'] = 53, ['1'] = 54, ['2'] = 55, ['3'] = 56,
    ['4'] = 57, ['5'] = 58, ['6'] = 59, ['7'] = 60, ['8'] = 61, ['9'] = 62, ['+'] = 63, ['/'] = 64,
};

static size_t padding(struct tk_str text)
{
    size_t n = 0;

    while (n < 2 && n < text.n && text.p[text.n - 1 - n] == '=')
        n++;
    return n;
}

bool tk_is_base64(struct tk_str text)
{
    size_t n = text.n - padding(text);

    if (text.n % 4 != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        if (digits[(uint8_t)text.p[i]] == 0)
            return false;
    return true;
}

/* Four digits to three bytes; those that padding stands for are `A`. False for what is no digit. */
static bool decode_group(const uint8_t *from, uint8_t to[3])
{
    uint32_t a = digits[from[0]], b = digits[from[1]], c = digits[from[2]], d = digits[from[3]];
    uint32_t bits;

    if (a == 0 || b == 0 || c == 0 || d == 0)
        return false;
    bits = (a - 1) << 18 | (b - 1) << 12 | (c - 1) << 6 | (d - 1);
    to[0] = (uint8_t)(bits >> 16);
    to[1] = (uint8_t)(bits >> 8);
    to[2] = (uint8_t)bits;
    return true;
}

int tk_base64_decode(struct tk_str text, struct tk_arena *arena, struct tk_str *ret)
{
    const uint8_t *from = (const uint8_t *)text.p;
    size_t padded = padding(text), groups = text.n / 4;
    uint8_t *bytes, *to;

    if (text.n % 4 != 0)
        return TK_BASE64_INVALID;
    bytes = to = tk_arena_alloc(arena, groups * 3);
    if (!bytes)
        return -ENOMEM;
    for (size_t i = 0; i < groups; i++, from += 4, to += 3) {
        uint8_t last[4];

        if (i + 1 == groups && padded > 0) {
            memcpy(last, from, sizeof(last));
            memset(last + sizeof(last) - padded, 'A', padded);
            from = last;
        }
        if (!decode_group(from, to))
            return TK_BASE64_INVALID;
        if (from == last)
            break;
    }
    *ret = (struct tk_str){(const char *)bytes, groups * 3 - padded};
    return 0;
}
