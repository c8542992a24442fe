/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: the msgpack specification's table of first bytes. A value is a header, which has
 * its kind and a number n, followed by a payload of bytes or by n children.
 */
#ifndef TK_VALUE_MSGPACK_FORMAT_H
#define TK_VALUE_MSGPACK_FORMAT_H

#include "value/doc.h"

enum tk_msgpack_shape {
    TK_MP_NEVER,   /* 0xc1, which msgpack doesn't use */
    TK_MP_PAYLOAD, /* n + extra bytes follow the header */
    TK_MP_COUNT,   /* n elements or members follow the header */
};

/*
 * The header is the first byte and `width` more bytes. n is the bits of the first byte that the mask
 * `inside` selects, or the number in the `width` bytes, or 0 if both `inside` and `width` are 0.
 */
struct tk_msgpack_format {
    uint8_t shape; /* enum tk_msgpack_shape */
    uint8_t kind;  /* enum tk_kind */
    uint8_t width;
    uint8_t inside;
    uint8_t extra; /* bytes of a payload of fixed size, or of the type byte of ext */
    uint8_t flags; /* TK_NODE_FOREIGN if JSON has no such value */
};

/* Converts a big-endian word as it was loaded to this machine's order. */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TK_FROM_BE(bits, word) (word)
#else
#define TK_FROM_BE(bits, word) __builtin_bswap##bits(word)
#endif

extern const struct tk_msgpack_format tk_msgpack_formats[256];

/* Returns the big-endian unsigned integer of `width` bytes (0, 1, 2, 4 or 8). */
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

/* Reads the encoded integer at p into *ret. False if it is above 2^63-1. */
bool tk_msgpack_int64(const uint8_t *p, int64_t *ret);

/* Returns the encoded float32 or float64 at p as a double. */
double tk_msgpack_real(const uint8_t *p);

#endif
