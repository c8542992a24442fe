/* SPDX-License-Identifier: Apache-2.0 */
/* Images in data URLs, "data:image/png;base64,iVBOR...". */
#ifndef TK_PROVIDERS_COMMON_IMAGE_URL_H
#define TK_PROVIDERS_COMMON_IMAGE_URL_H

#include "value/doc.h"

enum tk_url_image {
    TK_URL_IMAGE_FINE,       /* or unknown: another URL, or a value that isn't a string */
    TK_URL_IMAGE_FOREIGN,    /* its data doesn't begin like a PNG, JPEG, GIF or WebP */
    TK_URL_IMAGE_UNREADABLE, /* a data URL that isn't base64 */
};

/* Returns what is known of the image of a URL. */
enum tk_url_image tk_url_image(struct tk_val url, struct tk_arena *arena);

#endif
