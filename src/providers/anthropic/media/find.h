/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Media: images and documents, in messages and in the client's results (CATALOGUE 3.7). An image
 * that is sent as base64 must be what it says it is, and no larger than the provider takes:
 *
 *     {"type": "image", "source": {"type": "base64", "media_type": "image/jpeg", "data":
 * "iVBO..."}} ^ but the data is a PNG's
 */
#ifndef TK_PROVIDERS_ANTHROPIC_MEDIA_FIND_H
#define TK_PROVIDERS_ANTHROPIC_MEDIA_FIND_H

#include "history/history.h"
#include "providers/anthropic/media/image_header.h"

/* From so many images on a request is one of many, and larger ones aren't taken. */
#define TK_MANY_IMAGES 20u

/* What is wrong with an image. */
enum {
    TK_IMAGE_UNSUPPORTED = 1 << 0, /* declares none of the four media types */
    TK_IMAGE_MISMATCH = 1 << 1,    /* declares another than its data shows */
    TK_IMAGE_UNREADABLE = 1 << 2,  /* declares one, but its data is none */
    TK_IMAGE_TOO_LARGE = 1 << 3,
    TK_IMAGE_TOO_LARGE_OF_MANY = 1 << 4, /* where the request has many */
};

struct tk_image_look {
    unsigned faults;
    enum tk_image_kind kind;  /* what its data shows */
    struct tk_val media_type; /* what it declares */
};

/* An image block; of one that isn't base64 nothing is known. */
struct tk_image_look tk_look_at_image(struct tk_val block);

static inline bool tk_is_image(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("image"));
}

/* The list that a client's result holds, not there where it holds none. */
struct tk_val tk_result_blocks(const struct tk_part *p);

#endif
