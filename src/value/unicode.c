/* SPDX-License-Identifier: Apache-2.0 */
#include "value/unicode.h"

/* Unicode's White_Space, PropList.txt. */
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

bool tk_is_blank(struct tk_str text)
{
    const uint8_t *p = (const uint8_t *)text.p, *end = p + text.n;

    /* White space takes one to three bytes; whatever else the bytes are, they aren't blank. */
    while (p < end) {
        size_t left = (size_t)(end - p), length = *p < 0x80 ? 1 : *p < 0xE0 ? 2 : 3;
        uint32_t c = *p;

        if (length > left || *p >= 0xF0)
            return false;
        if (length == 2)
            c = (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
        else if (length == 3)
            c = (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
        if (!is_white_space(c))
            return false;
        p += length;
    }
    return true;
}
