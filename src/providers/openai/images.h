/* SPDX-License-Identifier: Apache-2.0 */
/* Data URLs of images, "data:image/png;base64,iVBOR...". */
#ifndef TK_PROVIDERS_OPENAI_IMAGES_H
#define TK_PROVIDERS_OPENAI_IMAGES_H

#include "value/doc.h"

enum tk_url_image {
    TK_IMAGE_FINE,       /* or not known: another URL, or no string */
    TK_IMAGE_BAD,        /* its data doesn't begin like a PNG, JPEG, GIF or WebP */
    TK_IMAGE_UNREADABLE, /* a data URL that isn't base64 */
};

/* Returns what is known of the image of a URL. */
enum tk_url_image tk_openai_image(struct tk_val url, struct tk_arena *arena);

#endif
