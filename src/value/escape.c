/* SPDX-License-Identifier: Apache-2.0 */
#include "value/escape.h"

static int hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

int tk_hex4(const uint8_t *digits)
{
    int value = 0;

    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(digits[i]);

        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    return value;
}

/* The character of a two-character escape, by its second byte. */
static const char escaped_as[256] = {
    ['"'] = '"',  ['/'] = '/',  ['\\'] = '\\', ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n', ['r'] = '\r',  ['t'] = '\t',
};

/* Encodes a code point, which may be a surrogate, in up to four bytes. Returns how many. */
static size_t encode(uint32_t c, char *to)
{
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c < 0x800) {
        to[0] = (char)(0xC0 | c >> 6);
        to[1] = (char)(0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        to[0] = (char)(0xE0 | c >> 12);
        to[1] = (char)(0x80 | (c >> 6 & 0x3F));
        to[2] = (char)(0x80 | (c & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | c >> 18);
    to[1] = (char)(0x80 | (c >> 12 & 0x3F));
    to[2] = (char)(0x80 | (c >> 6 & 0x3F));
    to[3] = (char)(0x80 | (c & 0x3F));
    return 4;
}

size_t tk_unescape_one(const char **p, const char *end, char *to)
{
    const char *at = *p;
    uint32_t c;

    if (at[1] != 'u') {
        *to = escaped_as[(uint8_t)at[1]];
        *p = at + 2;
        return 1;
    }
    c = (uint32_t)tk_hex4((const uint8_t *)at + 2);
    at += 6;
    if ((c & 0xFC00) == 0xD800 && end - at >= 6 && at[0] == '\\' && at[1] == 'u') {
        uint32_t low = (uint32_t)tk_hex4((const uint8_t *)at + 2);

        if ((low & 0xFC00) == 0xDC00) {
            c = 0x10000 + ((c & 0x3FF) << 10 | (low & 0x3FF));
            at += 6;
        }
    }
    *p = at;
    return encode(c, to);
}

/* Returns the index of the first backslash in eight bytes; 8 if there is none. */
static size_t find_backslash(const char *p)
{
    uint64_t word, other;

    memcpy(&word, p, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    other = word ^ 0x5C5C5C5C5C5C5C5CU; /* a zero byte is a backslash */
    other = (other - 0x0101010101010101U) & ~other & 0x8080808080808080U;
    return other ? (size_t)__builtin_ctzll(other) / 8 : 8;
}

/*
 * Unescapes eight bytes at a time: in code and tables escapes are close together. Writing never
 * passes reading, so there is always room for eight bytes.
 */
static void unescape_words(const char **p, const char *end, char **to)
{
    while (end - *p >= 8) {
        size_t plain = find_backslash(*p);

        memcpy(*to, *p, 8);
        *to += plain;
        *p += plain;
        if (plain == 8)
            continue;
        if ((*p)[1] == 'u') {
            *to += tk_unescape_one(p, end, *to);
        } else {
            *(*to)++ = escaped_as[(uint8_t)(*p)[1]];
            *p += 2;
        }
    }
}

size_t tk_unescape(struct tk_str raw, char *to)
{
    const char *p = raw.p, *end = raw.p + raw.n;
    char *start = to;

    unescape_words(&p, end, &to);
    while (p < end) {
        const char *backslash = memchr(p, '\\', (size_t)(end - p));
        size_t plain = (size_t)((backslash ? backslash : end) - p);

        memcpy(to, p, plain);
        to += plain;
        p += plain;
        if (backslash)
            to += tk_unescape_one(&p, end, to);
    }
    return (size_t)(to - start);
}

/* Reads the text of a raw string byte by byte. */
struct cursor {
    const char *p, *end;
    bool escaped;
    char pending[4]; /* the character of the escape that was read last */
    size_t at, n;
};

static struct cursor cursor_of(struct tk_raw raw)
{
    return (struct cursor){
        .p = raw.bytes.p, .end = raw.bytes.p + raw.bytes.n, .escaped = raw.escaped};
}

/* Returns the next byte; -1 after the last. */
static int cursor_next(struct cursor *c)
{
    if (c->at < c->n)
        return (uint8_t)c->pending[c->at++];
    if (c->p == c->end)
        return -1;
    if (!c->escaped || *c->p != '\\')
        return (uint8_t)*c->p++;
    c->n = tk_unescape_one(&c->p, c->end, c->pending);
    c->at = 1;
    return (uint8_t)c->pending[0];
}

bool tk_raw_eq(struct tk_raw a, struct tk_raw b)
{
    struct cursor x, y;
    int byte;

    if (!a.escaped && !b.escaped)
        return tk_str_eq(a.bytes, b.bytes);
    x = cursor_of(a);
    y = cursor_of(b);
    do {
        byte = cursor_next(&x);
        if (byte != cursor_next(&y))
            return false;
    } while (byte >= 0);
    return true;
}
