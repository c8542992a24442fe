/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of value: the msgpack specification's table of first bytes. */
#ifndef TK_VALUE_MSGPACK_FORMAT_H
#define TK_VALUE_MSGPACK_FORMAT_H

#include "value/doc.h"

enum tk_msgpack_shape {
    TK_MP_NEVER,   /* 0xc1 */
    TK_MP_PAYLOAD, /* n + extra bytes follow the header */
    TK_MP_COUNT,   /* n elements or members follow the header */
};

/*
 * The header is the first byte and `width` bytes more. They say n: n is what `inside` masks in the
 * first byte, or the number in the `width` bytes, or 0 where both are 0.
 */
struct tk_msgpack_format {
    uint8_t shape; /* enum tk_msgpack_shape */
    uint8_t kind;  /* enum tk_kind */
    uint8_t width;
    uint8_t inside;
    uint8_t extra; /* all of a payload of fixed size, the type byte of ext */
    uint8_t flags; /* TK_NODE_FOREIGN where JSON has no such thing */
};

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TK_FROM_BE(bits, word) (word)
#else
#define TK_FROM_BE(bits, word) __builtin_bswap##bits(word)
#endif

extern const struct tk_msgpack_format tk_msgpack_formats[256];

/* The unsigned integer of width bytes (0, 1, 2, 4 or 8), the most significant first. */
static inline uint64_t tk_load_be(const uint8_t *p, size_t width)
{
    uint64_t value = 0;
    uint32_t word;

    if (width == 1)
        return p[0];
    if (width == 2)
        return (uint64_t)p[0] << 8 | p[1];
    if (width == 4) {
        memcpy(&word, p, sizeof(word));
        return TK_FROM_BE(32, word);
    }
    if (width == 8) {
        memcpy(&value, p, sizeof(value));
        return TK_FROM_BE(64, value);
    }
    return 0;
}

/* The integer that begins at p. False where it is beyond 2^63-1. */
bool tk_msgpack_int64(const uint8_t *p, int64_t *ret);

/* Bit pattern of the float32 or float64 that begins at p, as a double. */
double tk_msgpack_real(const uint8_t *p);

#endif
