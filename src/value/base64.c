/* SPDX-License-Identifier: Apache-2.0 */
#include "value/base64.h"

#include <errno.h>

#include "value/scan.h"

/* The value of each digit plus one; 0 for other characters. */
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

/* Decodes four digits to three bytes. The caller replaced padding by `A`. False if one is no digit.
 */
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

/* ---- strings of documents, which may have escapes ---- */

static int hex(uint8_t c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

struct tk_str tk_base64_encode(struct tk_str bytes, struct tk_arena *arena)
{
    static const char alphabet[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = (bytes.n + 2) / 3 * 4;
    char *text = tk_arena_alloc(arena, n), *to = text;

    if (!text)
        return (struct tk_str){NULL, 0};
    for (size_t i = 0; i < bytes.n; i += 3, to += 4) {
        size_t have = bytes.n - i < 3 ? bytes.n - i : 3;
        uint8_t from[3] = {0};

        memcpy(from, bytes.p + i, have);
        to[0] = alphabet[from[0] >> 2];
        to[1] = alphabet[(from[0] & 3) << 4 | from[1] >> 4];
        to[2] = have > 1 ? alphabet[(from[1] & 15) << 2 | from[2] >> 6] : '=';
        to[3] = have > 2 ? alphabet[from[2] & 63] : '=';
    }
    return (struct tk_str){text, n};
}

/* Reads an escape. Returns its character if base64 can have it (or any other ASCII character of a
 * \u), else -1. The document's reader checked its form. */
static int unescape(struct tk_base64 *b)
{
    int c = 0;

    if (b->at[1] != 'u') {
        c = b->at[1] == '/' ? '/' : -1;
        b->at += 2;
        return c;
    }
    for (int i = 2; i < 6; i++)
        c = c << 4 | hex(b->at[i]);
    b->at += 6;
    return c < 0x80 ? c : -1;
}

/* Reads the next character; -1 at the end, and for escapes that base64 can't have. */
static int next(struct tk_base64 *b)
{
    if (b->at == b->end)
        return -1;
    return b->escaped && *b->at == '\\' ? unescape(b) : *b->at++;
}

static void skip(struct tk_base64 *b, size_t n)
{
    while (n > 0 && b->at < b->end) {
        size_t left = (size_t)(b->end - b->at), run = n < left ? n : left;
        const uint8_t *escape = b->escaped ? memchr(b->at, '\\', run) : NULL;

        if (!escape) {
            b->at += run;
            return;
        }
        n -= (size_t)(escape - b->at) + 1;
        b->at = escape;
        unescape(b);
    }
}

void tk_base64_open_text(struct tk_base64 *b, struct tk_str text)
{
    *b = (struct tk_base64){.at = (const uint8_t *)text.p, .end = (const uint8_t *)text.p + text.n};
}

void tk_base64_open(struct tk_base64 *b, struct tk_val string)
{
    struct tk_str raw = tk_is(string, TK_STRING) ? tk_raw(string) : TK_STR("");

    tk_base64_open_text(b, raw);
    b->escaped = tk_is(string, TK_STRING) && (tk_node(string)->flags & TK_NODE_ESCAPED);
}

size_t tk_base64_length(struct tk_val string)
{
    struct tk_base64 b;
    size_t n = 0;

    tk_base64_open(&b, string);
    while (b.at < b.end) {
        size_t left = (size_t)(b.end - b.at);
        const uint8_t *escape = b.escaped ? memchr(b.at, '\\', left) : NULL;

        n += escape ? (size_t)(escape - b.at) + 1 : left;
        b.at = escape ? escape : b.end;
        if (escape)
            unescape(&b);
    }
    return n;
}

/* Reads the next group. An incomplete or invalid one has no bytes. */
static void next_group(struct tk_base64 *b)
{
    const uint8_t *from = b->at;
    uint8_t four[4];
    size_t padded = 0;

    b->groups++;
    b->in_group = 0;
    for (int i = 0; i < 4; i++) {
        int c = next(b);

        if (c < 0)
            return;
        four[i] = c == '=' && i >= 2 ? 'A' : (uint8_t)c;
        padded += c == '=' && i >= 2;
    }
    if (b->on_group)
        b->on_group(b->arg, from, b->at);
    if (decode_group(four, b->group))
        b->in_group = (uint8_t)(3 - padded);
}

int tk_base64_byte(struct tk_base64 *b, size_t i)
{
    if (b->groups <= i / 3) {
        size_t between = i / 3 - b->groups;

        skip(b, between * 4);
        b->groups += between;
        next_group(b);
    }
    return i % 3 < b->in_group ? b->group[i % 3] : -1;
}

bool tk_base64_valid(struct tk_val string)
{
    struct tk_base64 b;
    size_t count = 0, padded = 0;

    if (!tk_is(string, TK_STRING))
        return false;
    tk_base64_open(&b, string);
    while (b.at < b.end) {
        size_t run = padded > 0 ? 0 : tk_scan_base64(b.at, (size_t)(b.end - b.at));
        int c;

        count += run;
        b.at += run;
        if (b.at == b.end)
            break;
        c = next(&b);
        padded += c == '=';
        if (c != '=' && (padded > 0 || c < 0 || digits[c] == 0))
            return false;
        count++;
    }
    return count % 4 == 0 && padded <= 2;
}
