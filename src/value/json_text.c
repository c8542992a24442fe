/* SPDX-License-Identifier: Apache-2.0 */
#include "value/json_text.h"

#include "value/unicode.h"

#include <stdio.h>

static const char *const short_escapes[256] = {
    ['"'] = "\\\"", ['\\'] = "\\\\", ['\b'] = "\\b", ['\f'] = "\\f",
    ['\n'] = "\\n", ['\r'] = "\\r",  ['\t'] = "\\t",
};

/* Gathers small pieces for the output: text with many quotes, above all JSON, consists of them. */
struct gather {
    struct tk_out *out;
    size_t n;
    char bytes[256];
};

static void flush(struct gather *g)
{
    tk_out_put(g->out, g->bytes, g->n);
    g->n = 0;
}

static void put(struct gather *g, const void *bytes, size_t n)
{
    if (n > sizeof(g->bytes) - g->n)
        flush(g);
    if (n > sizeof(g->bytes)) {
        tk_out_put(g->out, bytes, n);
        return;
    }
    memcpy(g->bytes + g->n, bytes, n);
    g->n += n;
}

static void put_unit(struct gather *g, unsigned unit)
{
    char text[8];

    put(g, text, (size_t)snprintf(text, sizeof(text), "\\u%04x", unit & 0xFFFF));
}

static void put_escape(struct gather *g, uint8_t c)
{
    if (short_escapes[c])
        put(g, short_escapes[c], 2);
    else
        put_unit(g, c);
}

/* Puts plain bytes, in which surrogates (ED A0..BF xx) become escapes. */
static void put_beyond_ascii(struct gather *g, const uint8_t *p, size_t n)
{
    const uint8_t *end = p + n, *start = p;

    while ((p = memchr(p, 0xED, (size_t)(end - p))) != NULL) {
        if (end - p < 3 || p[1] < 0xA0) {
            p++;
            continue;
        }
        put(g, start, (size_t)(p - start));
        put_unit(g, (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu));
        p += 3;
        start = p;
    }
    put(g, start, (size_t)(end - start));
}

void tk_json_put_string(struct tk_out *out, struct tk_str text)
{
    const uint8_t *p = (const uint8_t *)text.p;
    size_t left = text.n;
    struct gather g;

    g.out = out;
    g.n = 0;
    put(&g, "\"", 1);
    while (left > 0) {
        bool ascii;
        size_t n = tk_scan_plain(p, left, &ascii);

        if (ascii)
            put(&g, p, n);
        else
            put_beyond_ascii(&g, p, n);
        if (n == left)
            break;
        put_escape(&g, p[n]);
        p += n + 1;
        left -= n + 1;
    }
    put(&g, "\"", 1);
    flush(&g);
}

/* Returns how many surrogates plain bytes have. */
static size_t count_surrogates(const uint8_t *p, size_t n)
{
    const uint8_t *end = p + n;
    size_t count = 0;

    for (; (p = memchr(p, 0xED, (size_t)(end - p))) != NULL; p++)
        count += end - p >= 3 && p[1] >= 0xA0;
    return count;
}

size_t tk_json_string_size(struct tk_str text)
{
    const uint8_t *p = (const uint8_t *)text.p, *end = p + text.n;
    size_t size = 2 + text.n;

    while (p < end) {
        bool ascii;
        size_t n = tk_scan_plain(p, (size_t)(end - p), &ascii);

        size += ascii ? 0 : 3 * count_surrogates(p, n);
        p += n;
        if (p < end)
            size += short_escapes[*p++] ? 1 : 5;
    }
    return size;
}
