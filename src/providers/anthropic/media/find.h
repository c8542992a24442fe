/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Media: images and documents, in messages and in the client's results (CATALOGUE 3.7). An image in
 * base64 must be what it declares, and no larger than the provider takes:
 *
 *     {"type": "image",
 *      "source": {"type": "base64", "media_type": "image/jpeg", "data": "iVBORw0KGgo..."}}
 *                                                 ^^^^^^^^^^^^          ^^^^^^^^^^^
 *                                                 says JPEG,            but this is PNG
 */
#ifndef TK_PROVIDERS_ANTHROPIC_MEDIA_FIND_H
#define TK_PROVIDERS_ANTHROPIC_MEDIA_FIND_H

#include "engine/judge.h"
#include "providers/common/image_header.h"

/* With more images than this in a request, the provider takes only smaller ones. */
#define TK_MANY_IMAGES 20u

/* Faults of an image; bits. */
enum {
    TK_IMAGE_UNSUPPORTED = 1 << 0, /* declares a media type other than the four known ones */
    TK_IMAGE_MISMATCH = 1 << 1,    /* declares another media type than its data shows */
    TK_IMAGE_UNREADABLE = 1 << 2,  /* declares a known type, but its data is no image */
    TK_IMAGE_TOO_LARGE = 1 << 3,
    TK_IMAGE_TOO_LARGE_OF_MANY = 1 << 4, /* too large only because the request has many */
    TK_IMAGE_TOO_LONG = 1 << 5,          /* its data has more characters than the target takes */
};

struct tk_image_look {
    unsigned faults;
    enum tk_image_kind kind;  /* kind that its data shows */
    struct tk_val media_type; /* media type that it declares */
};

/* Returns the source of a block if it is base64, or TK_NO_VAL. */
struct tk_val tk_base64_source(struct tk_val block);

/* Returns what is known of an image block. Nothing is known of one whose source isn't base64. */
struct tk_image_look tk_look_at_image(const struct tk_judge *j, struct tk_val block);

static inline bool tk_is_image(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("image"));
}

static inline bool tk_is_document(struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), TK_STR("document"));
}

/* Returns the list of blocks in a client's result, or TK_NO_VAL. */
struct tk_val tk_result_blocks(const struct tk_part *p);

/* Finds images and documents that the provider would refuse, and counts the images. Returns 0,
 * -ENOMEM or -ECANCELED. */
int tk_judge_media(struct tk_judge *j);

#endif
