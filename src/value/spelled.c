/* SPDX-License-Identifier: Apache-2.0 */
#include "value/spelled.h"

/* ---- UTF-8 ---- */

static size_t read_utf8(const uint8_t *p, const uint8_t *end, uint32_t *ret)
{
    size_t n = *p < 0xC0 ? 1 : *p < 0xE0 ? 2 : *p < 0xF0 ? 3 : 4;

    if (n == 1 || (size_t)(end - p) < n) {
        *ret = *p;
        return 1;
    }
    *ret = *p & (0xFFu >> (n + 1));
    for (size_t i = 1; i < n; i++)
        *ret = *ret << 6 | (p[i] & 0x3F);
    return n;
}

static void write_utf8(uint8_t *p, size_t n, uint32_t c)
{
    static const uint8_t marks[] = {0, 0, 0xC0, 0xE0, 0xF0};

    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        p[i] = (uint8_t)(0x80 | (c & 0x3F));
    p[0] = (uint8_t)(marks[n] | c);
}

/* ---- escapes ---- */

static int hex_value(uint32_t c)
{
    if (c >= '0' && c <= '9')
        return (int)(c - '0');
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? (int)(c - 'a') + 10 : -1;
}

/* Reads the four digits of an escape, which are themselves spelled. Returns their bytes; 0: one of
 * them is no digit. */
static size_t read_hex(const uint8_t *p, const uint8_t *end, unsigned depth, uint32_t *ret)
{
    const uint8_t *at = p;
    uint32_t c;

    *ret = 0;
    for (int i = 0; i < 4; i++) {
        if (at == end)
            return 0;
        at += tk_spelled_read(at, end, depth, &c);
        if (hex_value(c) < 0)
            return 0;
        *ret = *ret << 4 | (uint32_t)hex_value(c);
    }
    return (size_t)(at - p);
}

/* Reads `\uXXXX` at `p`. Returns its bytes; 0: there is none. */
static size_t read_unit(const uint8_t *p, const uint8_t *end, unsigned depth, uint32_t *ret)
{
    const uint8_t *at = p;
    uint32_t c;
    size_t n;

    if (at == end)
        return 0;
    at += tk_spelled_read(at, end, depth, &c);
    if (c != '\\' || at == end)
        return 0;
    at += tk_spelled_read(at, end, depth, &c);
    n = c == 'u' ? read_hex(at, end, depth, ret) : 0;
    return n > 0 ? (size_t)(at - p) + n : 0;
}

static size_t read_long_escape(const uint8_t *p, const uint8_t *end, unsigned depth, uint32_t *ret)
{
    size_t n = read_unit(p, end, depth, ret), more;
    uint32_t low;

    if (n == 0 || (*ret & 0xFC00) != 0xD800)
        return n;
    more = read_unit(p + n, end, depth, &low);
    if (more == 0 || (low & 0xFC00) != 0xDC00)
        return n;
    *ret = 0x10000 + ((*ret & 0x3FF) << 10 | (low & 0x3FF));
    return n + more;
}

/* The character of a short escape, by the one after the backslash; 0: there is no such escape. */
static const char escaped_as[128] = {
    ['"'] = '"',  ['/'] = '/',  ['\\'] = '\\', ['b'] = '\b',
    ['f'] = '\f', ['n'] = '\n', ['r'] = '\r',  ['t'] = '\t',
};

/* Returns the bytes of what begins like `\uXXXX` but isn't: up to the first character that is no
 * digit, so that it isn't one either if other characters follow. */
static size_t broken_unit(const uint8_t *p, const uint8_t *end, unsigned depth)
{
    const uint8_t *at = p;
    uint32_t c;

    for (int i = 0; i < 6 && at < end; i++) {
        at += tk_spelled_read(at, end, depth, &c);
        if (i >= 2 && hex_value(c) < 0)
            break;
    }
    return (size_t)(at - p);
}

/* Reads an escape whose backslash takes n bytes. */
static size_t read_escape(const uint8_t *p, const uint8_t *end, unsigned depth, size_t n,
                          uint32_t *ret)
{
    uint32_t c;
    size_t more;

    if (p + n == end)
        return n;
    n += tk_spelled_read(p + n, end, depth, &c);
    if (c == 'u') {
        more = read_long_escape(p, end, depth, ret);
        if (more > 0)
            return more;
        *ret = '\\';
        return broken_unit(p, end, depth);
    }
    if (c < 128 && escaped_as[c] != 0)
        *ret = (uint8_t)escaped_as[c];
    return n;
}

size_t tk_spelled_read(const uint8_t *p, const uint8_t *end, unsigned depth, uint32_t *ret)
{
    size_t n;

    if (*p < 0x80 && *p != '\\') {
        *ret = *p;
        return 1;
    }
    if (depth == 0)
        return read_utf8(p, end, ret);
    n = tk_spelled_read(p, end, depth - 1, ret);
    return *ret == '\\' ? read_escape(p, end, depth - 1, n, ret) : n;
}

/* Overwrites the four digits of the escape at `p`. Returns the bytes of the whole escape. */
static size_t write_unit(uint8_t *p, const uint8_t *end, unsigned depth, uint32_t unit)
{
    uint8_t *at = p;
    uint32_t c;

    for (int skip = 0; skip < 2; skip++)
        at += tk_spelled_read(at, end, depth, &c);
    for (int shift = 12; shift >= 0; shift -= 4) {
        size_t n = tk_spelled_read(at, end, depth, &c);

        tk_spelled_write(at, n, depth, (uint8_t) "0123456789abcdef"[unit >> shift & 15]);
        at += n;
    }
    return (size_t)(at - p);
}

void tk_spelled_write(uint8_t *p, size_t n, unsigned depth, uint32_t c)
{
    const uint8_t *end = p + n;
    uint32_t old;

    if (n == 1 || depth == 0) {
        write_utf8(p, n, c);
        return;
    }
    tk_spelled_read(p, end, depth - 1, &old);
    if (old != '\\') {
        tk_spelled_write(p, n, depth - 1, c);
    } else if (c < 0x10000) {
        write_unit(p, end, depth - 1, c);
    } else {
        p += write_unit(p, end, depth - 1, 0xD800 | (c - 0x10000) >> 10);
        write_unit(p, end, depth - 1, 0xDC00 | (c & 0x3FF));
    }
}
