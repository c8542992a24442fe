/* SPDX-License-Identifier: Apache-2.0 */
/* Images in data URLs. */
#ifndef TK_PROVIDERS_OPENAI_DATA_URL_H
#define TK_PROVIDERS_OPENAI_DATA_URL_H

#include "value/doc.h"

/* Returns true if a string is a data URL whose data isn't base64, or doesn't begin like a PNG, JPEG,
 * GIF or WebP image; false for other URLs and other values. */
bool tk_is_invalid_image_url(struct tk_val url, struct tk_arena *arena);

#endif
