/* SPDX-License-Identifier: Apache-2.0 */
#include "value/unicode.h"

/* The ranges of Unicode's White_Space, from PropList.txt. */
static const struct {
    uint32_t first, last;
} white_space[] = {
    {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
    {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
};

static bool is_white_space(uint32_t c)
{
    for (size_t i = 0; i < sizeof(white_space) / sizeof(white_space[0]); i++)
        if (c >= white_space[i].first && c <= white_space[i].last)
            return true;
    return false;
}

/* Returns the bytes of the white space at p; 0 if another character is there, or the middle of one. */
static size_t white_space_at(const uint8_t *p, size_t left)
{
    size_t length = *p < 0x80 ? 1 : *p < 0xE0 ? 2 : 3;
    uint32_t c = *p;

    /* White space has one to three bytes; a longer or cut sequence isn't white space. The two last bytes
     * of a character could be read as the first two of another: E5 80 8B has 80 8B, "2 bytes, VT". */
    if (length > left || *p >= 0xF0 || (*p & 0xC0) == 0x80)
        return 0;
    if (length == 2)
        c = (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
    else if (length == 3)
        c = (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
    return is_white_space(c) ? length : 0;
}

size_t tk_white_space_at(struct tk_str text)
{
    return text.n > 0 ? white_space_at((const uint8_t *)text.p, text.n) : 0;
}

bool tk_is_text(struct tk_str text)
{
    while (text.n > 0) {
        size_t n = tk_utf8_valid(text.p, text.n);
        const uint8_t *p = (const uint8_t *)text.p + n;

        if (n == text.n)
            return true;
        if (text.n - n < 3 || p[0] != 0xED || (p[1] & 0xE0) != 0xA0 || (p[2] & 0xC0) != 0x80)
            return false;
        text = (struct tk_str){text.p + n + 3, text.n - n - 3};
    }
    return true;
}

bool tk_is_blank(struct tk_str text)
{
    size_t at = 0; /* no pointer arithmetic: a view of nothing may have none */

    while (at < text.n) {
        size_t length = white_space_at((const uint8_t *)text.p + at, text.n - at);

        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

struct tk_str tk_trim(struct tk_str text)
{
    while (text.n > 0) {
        size_t length = white_space_at((const uint8_t *)text.p, text.n);

        if (length == 0)
            break;
        text.p += length;
        text.n -= length;
    }
    return tk_trim_end(text);
}

struct tk_str tk_trim_end(struct tk_str text)
{
    while (text.n > 0) {
        size_t last = 1;

        /* Go back to the first byte of the last character. */
        while (last < text.n && last < 4 && ((uint8_t)text.p[text.n - last] & 0xC0) == 0x80)
            last++;
        if (white_space_at((const uint8_t *)text.p + text.n - last, last) != last)
            break;
        text.n -= last;
    }
    return text;
}
