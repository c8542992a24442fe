/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kind and size of an image in base64: the kind by its first bytes, the size by its header. No
 * more is decoded than that takes.
 *
 *     PNG   89 "PNG" 0d 0a 1a 0a, chunk IHDR: width, height
 *     GIF   "GIF87a" or "GIF89a": width, height
 *     JPEG  ff d8 ff, then segments; one of kind SOF: height, width
 *     WebP  "RIFF" size "WEBP", then VP8 (lossy), VP8L (lossless) or VP8X (extended): width, height
 */
#ifndef TK_PROVIDERS_COMMON_IMAGE_HEADER_H
#define TK_PROVIDERS_COMMON_IMAGE_HEADER_H

#include "value/base64.h"

enum tk_image_kind {
    TK_IMAGE_NONE,
    TK_IMAGE_JPEG,
    TK_IMAGE_PNG,
    TK_IMAGE_GIF,
    TK_IMAGE_WEBP,
    TK_IMAGE_COUNT,
};

struct tk_image {
    enum tk_image_kind kind;
    uint32_t width, height; /* pixels; 0: unknown */
};

/* Media types by kind, such as "image/jpeg"; "" for TK_IMAGE_NONE. */
extern const struct tk_str tk_image_media_types[TK_IMAGE_COUNT];

/* Returns the kind that a media type declares; TK_IMAGE_NONE for any but these four. */
enum tk_image_kind tk_image_declared(struct tk_val media_type);

/* Reads kind and size from the data of a base64 source. The kind is TK_IMAGE_NONE if the data
 * doesn't begin like one of them. */
struct tk_image tk_image_of(struct tk_val data);

/* Returns the kind that the first bytes show. `data` is open at its first byte. */
enum tk_image_kind tk_image_kind_of(struct tk_base64 *data);

/* Reads them from base64 that is open at its first byte. Groups are read in ascending order, first
 * those that show the kind, then those with the size. */
struct tk_image tk_image_read(struct tk_base64 data);

#endif
