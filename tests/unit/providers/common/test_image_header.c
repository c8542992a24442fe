/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Headers of images: built byte by byte, sent as base64 in both codecs, plain and with every
 * character escaped; cut at each byte, too, where nothing may be read that isn't there.
 */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/common/image_header.h"
#include "value/base64.h"

#include <stdlib.h>

#define BYTES(...) (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__})
#define PNG_HEAD   0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A
#define IHDR       0, 0, 0, 13, 'I', 'H', 'D', 'R'
#define RIFF       'R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'E', 'B', 'P'

struct row {
    const char *why;
    const uint8_t *bytes;
    size_t n;
    enum tk_image_kind kind;
    uint32_t width, height;
};

static const struct row rows[] = {
    {"nothing", BYTES(0), TK_IMAGE_NONE, 0, 0},
    {"PNG", BYTES(PNG_HEAD, IHDR, 0, 0, 0x23, 0x28, 0, 0, 0, 10), TK_IMAGE_PNG, 9000, 10},
    {"PNG, sides of 32 bits", BYTES(PNG_HEAD, IHDR, 0x80, 0, 0, 1, 0xFF, 0, 0, 2), TK_IMAGE_PNG,
     0x80000001, 0xFF000002},
    {"PNG, its signature alone", BYTES(PNG_HEAD), TK_IMAGE_PNG, 0, 0},
    {"PNG, another chunk in front",
     BYTES(PNG_HEAD, 0, 0, 0, 13, 'C', 'g', 'B', 'I', 0, 0, 0x23, 0x28, 0, 0, 0, 10), TK_IMAGE_PNG,
     0, 0},
    {"no PNG: line ends converted", BYTES(0x89, 'P', 'N', 'G', 0x0A, 0x0A, 0x1A, 0x0A, IHDR),
     TK_IMAGE_NONE, 0, 0},
    {"GIF87a", BYTES('G', 'I', 'F', '8', '7', 'a', 0x28, 0x23, 0x0A, 0), TK_IMAGE_GIF, 9000, 10},
    {"GIF89a", BYTES('G', 'I', 'F', '8', '9', 'a', 0x01, 0, 0xD1, 0x07), TK_IMAGE_GIF, 1, 2001},
    {"no GIF: 88", BYTES('G', 'I', 'F', '8', '8', 'a', 1, 0, 1, 0), TK_IMAGE_NONE, 0, 0},
    {"no GIF: b", BYTES('G', 'I', 'F', '8', '9', 'b', 1, 0, 1, 0), TK_IMAGE_NONE, 0, 0},
    {"JPEG, SOF0 at once", BYTES(0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0x00, 0x0A, 0x23, 0x28, 1),
     TK_IMAGE_JPEG, 9000, 10},
    {"JPEG, APP0, DQT, SOF2",
     BYTES(0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 'J', 'F', 0xFF, 0xDB, 0, 3, 0, 0xFF, 0xC2, 0, 11, 8, 0x1F,
           0x40, 0x1F, 0x41, 1),
     TK_IMAGE_JPEG, 8001, 8000},
    {"JPEG, fill bytes, markers that stand alone",
     BYTES(0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0x01, 0xFF, 0xD0, 0xFF, 0xC9, 0, 11, 8, 0, 3, 0, 4, 1),
     TK_IMAGE_JPEG, 4, 3},
    {"JPEG, tables with numbers of frames",
     BYTES(0xFF, 0xD8, 0xFF, 0xC4, 0, 2, 0xFF, 0xC8, 0, 2, 0xFF, 0xCC, 0, 2, 0xFF, 0xCF, 0, 11, 8,
           0, 3, 0, 4, 1),
     TK_IMAGE_JPEG, 4, 3},
    {"JPEG, the scan before a frame",
     BYTES(0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 4, 1), TK_IMAGE_JPEG, 0, 0},
    {"JPEG, its end before a frame",
     BYTES(0xFF, 0xD8, 0xFF, 0xD9, 0, 2, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 4, 1), TK_IMAGE_JPEG, 0, 0},
    {"JPEG, a segment shorter than its length",
     BYTES(0xFF, 0xD8, 0xFF, 0xE0, 0, 1, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 4, 1), TK_IMAGE_JPEG, 0, 0},
    {"JPEG, a segment that leads nowhere",
     BYTES(0xFF, 0xD8, 0xFF, 0xE0, 0, 3, 0xFF, 0xC0, 0, 11, 8, 0, 3, 0, 4, 1), TK_IMAGE_JPEG, 0, 0},
    {"no JPEG", BYTES(0xFF, 0xD8, 0xFE, 0xC0, 0, 11, 8, 0, 3, 0, 4, 1), TK_IMAGE_NONE, 0, 0},
    {"WebP, lossy",
     BYTES(RIFF, 'V', 'P', '8', ' ', 0, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2A, 0x28, 0xA3, 0x0A, 0x40),
     TK_IMAGE_WEBP, 9000, 10},
    {"WebP, lossy, no key frame",
     BYTES(RIFF, 'V', 'P', '8', ' ', 0, 0, 0, 0, 0, 0, 0, 0x9D, 0x01, 0x2B, 0x28, 0x23, 0x0A, 0),
     TK_IMAGE_WEBP, 0, 0},
    {"WebP, lossless", BYTES(RIFF, 'V', 'P', '8', 'L', 0, 0, 0, 0, 0x2F, 0x27, 0x63, 0x02, 0xF0),
     TK_IMAGE_WEBP, 8999 + 1, 10},
    {"WebP, lossless, another signature",
     BYTES(RIFF, 'V', 'P', '8', 'L', 0, 0, 0, 0, 0x2E, 0x27, 0x63, 0x02, 0xF0), TK_IMAGE_WEBP, 0,
     0},
    {"WebP, extended",
     BYTES(RIFF, 'V', 'P', '8', 'X', 10, 0, 0, 0, 0, 0, 0, 0, 0x27, 0x23, 0x00, 0x00, 0x00, 0x01),
     TK_IMAGE_WEBP, 9000, 0x10001},
    {"WebP, an unknown chunk", BYTES(RIFF, 'A', 'N', 'I', 'M', 0, 0, 0, 0, 9, 9, 9, 9, 9, 9),
     TK_IMAGE_WEBP, 0, 0},
    {"no WebP: a sound", BYTES('R', 'I', 'F', 'F', 0, 0, 0, 0, 'W', 'A', 'V', 'E'), TK_IMAGE_NONE,
     0, 0},
};

/* ---- base64, as others write it ---- */

static void put(char **at, char c, bool escape)
{
    *at += escape ? sprintf(*at, "\\u%04x", (unsigned)c) : sprintf(*at, "%c", c);
}

/* A JSON string of n bytes in base64. */
static char *encoded(const uint8_t *bytes, size_t n, bool escape)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = malloc((n + 2) / 3 * 4 * 6 + 3), *at = text;

    *at++ = '"';
    for (size_t i = 0; i < n; i += 3) {
        uint32_t bits = (uint32_t)bytes[i] << 16;

        bits |= i + 1 < n ? (uint32_t)bytes[i + 1] << 8 : 0;
        bits |= i + 2 < n ? bytes[i + 2] : 0;
        put(&at, digits[bits >> 18], escape);
        put(&at, digits[bits >> 12 & 63], escape);
        put(&at, i + 1 < n ? digits[bits >> 6 & 63] : '=', escape);
        put(&at, i + 2 < n ? digits[bits & 63] : '=', escape);
    }
    *at++ = '"';
    *at = '\0';
    return text;
}

static struct tk_image image_in(const char *json, enum tk_codec codec)
{
    struct reading r;
    struct tk_image image;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(codec == TK_JSON ? reading_json(&r, tk_str_of(json))
                                           : reading_msgpack(&r, as_msgpack(json, &r.arena)),
                          0);
    CU_ASSERT(tk_base64_valid(tk_root(&r.doc)));
    image = tk_image_of(tk_root(&r.doc));
    CU_ASSERT(reading_done(&r));
    return image;
}

static bool same(struct tk_image a, struct tk_image b)
{
    return a.kind == b.kind && a.width == b.width && a.height == b.height;
}

/* Returns the image that the n bytes show, which must not depend on how they are spelled. */
static struct tk_image image_of(const uint8_t *bytes, size_t n)
{
    char *plain = encoded(bytes, n, false), *escaped = encoded(bytes, n, true);
    struct tk_image image = image_in(plain, TK_JSON);

    CU_ASSERT(same(image_in(escaped, TK_JSON), image));
    CU_ASSERT(same(image_in(plain, TK_MSGPACK), image));
    free(plain);
    free(escaped);
    return image;
}

/* ---- tests ---- */

static void test_headers(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_image image = image_of(rows[i].bytes, rows[i].n);

        if (!same(image, (struct tk_image){rows[i].kind, rows[i].width, rows[i].height}))
            printf("# %s: %d, %u x %u\n", rows[i].why, (int)image.kind, image.width, image.height);
        CU_ASSERT_EQUAL(image.kind, rows[i].kind);
        CU_ASSERT_EQUAL(image.width, rows[i].width);
        CU_ASSERT_EQUAL(image.height, rows[i].height);
    }
}

/* A header that ends too early gives no kind, or no more than what is there. */
static void test_cut_headers(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (size_t n = 0; n < rows[i].n; n++) {
            struct tk_image image = image_of(rows[i].bytes, n);

            CU_ASSERT(image.kind == rows[i].kind || image.kind == TK_IMAGE_NONE);
            CU_ASSERT(n >= 3 || image.kind == TK_IMAGE_NONE);
        }
}

/* The frame's header comes after a profile of several hundred kilobytes. */
static void test_photo(void)
{
    static const uint8_t frame[] = {0xFF, 0xC0, 0, 11, 8, 0x07, 0xD0, 0x07, 0xD1, 1};
    size_t segment = 2 + 0xFFFF, n = 2 + 9 * segment;
    uint8_t *bytes = calloc(1, n + sizeof(frame));
    struct tk_image image;

    bytes[0] = 0xFF;
    bytes[1] = 0xD8;
    for (size_t at = 2; at < n; at += segment)
        memcpy(bytes + at, "\xFF\xE2\xFF\xFF", 4);
    memcpy(bytes + n, frame, sizeof(frame));
    image = image_of(bytes, n + sizeof(frame));
    CU_ASSERT(same(image, (struct tk_image){TK_IMAGE_JPEG, 2001, 2000}));
    free(bytes);
}

static void test_what_is_no_base64(void)
{
    static const char *const texts[] = {"\"\"",           "\"iVBOR\"",         "\"iVBOR*0KGgo=\"",
                                        "\"\\n\\u2028\"", "\"data:image\"",    "7",
                                        "null",           "[\"iVBORw0KGgo=\"]"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(texts[i])), 0);
        CU_ASSERT_EQUAL(tk_image_of(tk_root(&r.doc)).kind, TK_IMAGE_NONE);
        CU_ASSERT(reading_done(&r));
    }
}

TAP_MAIN("image", TAP_TEST(test_headers), TAP_TEST(test_cut_headers), TAP_TEST(test_photo),
         TAP_TEST(test_what_is_no_base64))
