/* SPDX-License-Identifier: Apache-2.0 */
#include "value/msgpack_format.h"

#define FIXED(kind, size)                                                                          \
    {                                                                                              \
        TK_MP_PAYLOAD, kind, 0, 0, size, 0                                                         \
    }
#define SIZED(kind, width)                                                                         \
    {                                                                                              \
        TK_MP_PAYLOAD, kind, width, 0, 0, 0                                                        \
    }
#define SIZE_IN(kind, mask)                                                                        \
    {                                                                                              \
        TK_MP_PAYLOAD, kind, 0, mask, 0, 0                                                         \
    }
#define FOREIGN(kind, width, ext)                                                                  \
    {                                                                                              \
        TK_MP_PAYLOAD, kind, width, 0, ext, TK_NODE_FOREIGN                                        \
    }
#define COUNTED(kind, width)                                                                       \
    {                                                                                              \
        TK_MP_COUNT, kind, width, 0, 0, 0                                                          \
    }
#define COUNT_IN(kind, mask)                                                                       \
    {                                                                                              \
        TK_MP_COUNT, kind, 0, mask, 0, 0                                                           \
    }

const struct tk_msgpack_format tk_msgpack_formats[256] = {
    [0x00 ... 0x7f] = FIXED(TK_INT, 0),          /* positive fixint */
    [0x80 ... 0x8f] = COUNT_IN(TK_OBJECT, 0x0f), /* fixmap */
    [0x90 ... 0x9f] = COUNT_IN(TK_ARRAY, 0x0f),  /* fixarray */
    [0xa0 ... 0xbf] = SIZE_IN(TK_STRING, 0x1f),  /* fixstr */
    [0xc0] = FIXED(TK_NULL, 0),
    [0xc1] = {TK_MP_NEVER, 0, 0, 0, 0, 0},
    [0xc2] = FIXED(TK_FALSE, 0),
    [0xc3] = FIXED(TK_TRUE, 0),
    [0xc4] = FOREIGN(TK_BIN, 1, 0),
    [0xc5] = FOREIGN(TK_BIN, 2, 0),
    [0xc6] = FOREIGN(TK_BIN, 4, 0),
    [0xc7] = FOREIGN(TK_EXT, 1, 1),
    [0xc8] = FOREIGN(TK_EXT, 2, 1),
    [0xc9] = FOREIGN(TK_EXT, 4, 1),
    [0xca] = FIXED(TK_REAL, 4),
    [0xcb] = FIXED(TK_REAL, 8),
    [0xcc] = FIXED(TK_INT, 1), /* uint8 and on */
    [0xcd] = FIXED(TK_INT, 2),
    [0xce] = FIXED(TK_INT, 4),
    [0xcf] = FIXED(TK_INT, 8),
    [0xd0] = FIXED(TK_INT, 1), /* int8 and on */
    [0xd1] = FIXED(TK_INT, 2),
    [0xd2] = FIXED(TK_INT, 4),
    [0xd3] = FIXED(TK_INT, 8),
    [0xd4] = FOREIGN(TK_EXT, 0, 2), /* fixext: type byte and payload */
    [0xd5] = FOREIGN(TK_EXT, 0, 3),
    [0xd6] = FOREIGN(TK_EXT, 0, 5),
    [0xd7] = FOREIGN(TK_EXT, 0, 9),
    [0xd8] = FOREIGN(TK_EXT, 0, 17),
    [0xd9] = SIZED(TK_STRING, 1),
    [0xda] = SIZED(TK_STRING, 2),
    [0xdb] = SIZED(TK_STRING, 4),
    [0xdc] = COUNTED(TK_ARRAY, 2),
    [0xdd] = COUNTED(TK_ARRAY, 4),
    [0xde] = COUNTED(TK_OBJECT, 2),
    [0xdf] = COUNTED(TK_OBJECT, 4),
    [0xe0 ... 0xff] = FIXED(TK_INT, 0), /* negative fixint */
};

bool tk_msgpack_int64(const uint8_t *p, int64_t *ret)
{
    size_t size = tk_msgpack_formats[*p].extra;
    uint64_t bits = tk_load_be(p + 1, size);

    if (size == 0) {
        *ret = (int8_t)*p;
    } else if (*p <= 0xcf) {
        if (bits > INT64_MAX)
            return false;
        *ret = (int64_t)bits;
    } else {
        unsigned unused = 64 - 8 * (unsigned)size;

        *ret = (int64_t)(bits << unused) >> unused; /* sign extension */
    }
    return true;
}

double tk_msgpack_real(const uint8_t *p)
{
    uint64_t bits = tk_load_be(p + 1, tk_msgpack_formats[*p].extra);
    double d;

    if (*p == 0xca) {
        uint32_t bits32 = (uint32_t)bits;
        float f;

        memcpy(&f, &bits32, sizeof(f));
        return (double)f;
    }
    memcpy(&d, &bits, sizeof(d));
    return d;
}
