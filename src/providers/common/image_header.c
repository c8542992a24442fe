/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/image_header.h"

const struct tk_str tk_image_media_types[TK_IMAGE_COUNT] = {
    [TK_IMAGE_NONE] = TK_STR_INIT(""),           [TK_IMAGE_JPEG] = TK_STR_INIT("image/jpeg"),
    [TK_IMAGE_PNG] = TK_STR_INIT("image/png"),   [TK_IMAGE_GIF] = TK_STR_INIT("image/gif"),
    [TK_IMAGE_WEBP] = TK_STR_INIT("image/webp"),
};

enum tk_image_kind tk_image_declared(struct tk_val media_type)
{
    for (int i = TK_IMAGE_NONE + 1; i < TK_IMAGE_COUNT; i++)
        if (tk_text_is(media_type, tk_image_media_types[i]))
            return (enum tk_image_kind)i;
    return TK_IMAGE_NONE;
}

/* ---- numbers ---- */

/* Returns n bytes as a number, most significant byte first. Bytes after the end count as zero. */
static uint32_t big(struct tk_base64 *b, size_t at, int n)
{
    uint32_t value = 0;

    for (int i = 0; i < n; i++) {
        int byte = tk_base64_byte(b, at + (size_t)i);

        value = value << 8 | (byte < 0 ? 0 : (uint32_t)byte);
    }
    return value;
}

/* Returns n bytes as a number, least significant byte first. Bytes after the end count as zero. */
static uint32_t little(struct tk_base64 *b, size_t at, int n)
{
    uint32_t value = 0;

    for (int i = 0; i < n; i++) {
        int byte = tk_base64_byte(b, at + (size_t)i);

        value |= (byte < 0 ? 0 : (uint32_t)byte) << (8 * i);
    }
    return value;
}

#define FOUR(a, b, c, d)                                                                           \
    ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

/* ---- sizes ---- */

static void measure_png(struct tk_base64 *b, struct tk_image *image)
{
    if (big(b, 12, 4) != FOUR('I', 'H', 'D', 'R'))
        return;
    image->width = big(b, 16, 4);
    image->height = big(b, 20, 4);
}

static void measure_gif(struct tk_base64 *b, struct tk_image *image)
{
    image->width = little(b, 6, 2);
    image->height = little(b, 8, 2);
}

/* True for a frame header: SOF0 to SOF15, without the three other markers in that range (DHT, JPG,
 * DAC). */
static bool is_frame(int marker)
{
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
}

/* True for markers without a length: TEM, RST0 to RST7, SOI. */
static bool has_no_length(int marker)
{
    return marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
}

/* Walks from segment to segment: hundreds of kilobytes of profile may precede a photo's header. */
static void measure_jpeg(struct tk_base64 *b, struct tk_image *image)
{
    size_t at = 2;

    while (tk_base64_byte(b, at) == 0xFF) {
        int marker = tk_base64_byte(b, at + 1);
        uint32_t length;

        if (marker == 0xFF || has_no_length(marker)) {
            at += marker == 0xFF ? 1 : 2;
            continue;
        }
        length = big(b, at + 2, 2);
        if (is_frame(marker)) {
            image->height = big(b, at + 5, 2);
            image->width = big(b, at + 7, 2);
            return;
        }
        /* The image itself begins, or ends. */
        if (marker < 0 || marker == 0xDA || marker == 0xD9 || length < 2)
            return;
        at += 2 + (size_t)length;
    }
}

static void measure_webp(struct tk_base64 *b, struct tk_image *image)
{
    uint32_t chunk = big(b, 12, 4), bits;

    if (chunk == FOUR('V', 'P', '8', ' ') && big(b, 23, 3) == 0x9D012A) {
        image->width = little(b, 26, 2) & 0x3FFF;
        image->height = little(b, 28, 2) & 0x3FFF;
    } else if (chunk == FOUR('V', 'P', '8', 'L') && big(b, 20, 1) == 0x2F) {
        bits = little(b, 21, 4);
        image->width = (bits & 0x3FFF) + 1;
        image->height = (bits >> 14 & 0x3FFF) + 1;
    } else if (chunk == FOUR('V', 'P', '8', 'X') && tk_base64_byte(b, 24) >= 0) {
        image->width = little(b, 24, 3) + 1;
        image->height = little(b, 27, 3) + 1;
    }
}

/* ---- kinds ---- */

enum tk_image_kind tk_image_kind_of(struct tk_base64 *b)
{
    uint32_t first = big(b, 0, 4), second;

    if (first >> 8 == 0xFFD8FF)
        return TK_IMAGE_JPEG;
    second = big(b, 4, 4);
    if (first == FOUR(0x89, 'P', 'N', 'G') && second == FOUR(0x0D, 0x0A, 0x1A, 0x0A))
        return TK_IMAGE_PNG;
    if (first == FOUR('G', 'I', 'F', '8') &&
        (second >> 16 == ('7' << 8 | 'a') || second >> 16 == ('9' << 8 | 'a')))
        return TK_IMAGE_GIF;
    if (first == FOUR('R', 'I', 'F', 'F') && big(b, 8, 4) == FOUR('W', 'E', 'B', 'P'))
        return TK_IMAGE_WEBP;
    return TK_IMAGE_NONE;
}

struct tk_image tk_image_read(struct tk_base64 data)
{
    static void (*const measure[TK_IMAGE_COUNT])(struct tk_base64 * b, struct tk_image * image) = {
        [TK_IMAGE_JPEG] = measure_jpeg,
        [TK_IMAGE_PNG] = measure_png,
        [TK_IMAGE_GIF] = measure_gif,
        [TK_IMAGE_WEBP] = measure_webp,
    };
    struct tk_image image = {TK_IMAGE_NONE, 0, 0};
    struct tk_base64 again = data;

    image.kind = tk_image_kind_of(&data);
    if (image.kind != TK_IMAGE_NONE)
        measure[image.kind](&again, &image);
    return image;
}

struct tk_image tk_image_of(struct tk_val data)
{
    struct tk_base64 b;

    tk_base64_open(&b, data);
    return tk_image_read(b);
}
