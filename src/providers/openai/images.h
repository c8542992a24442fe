/* SPDX-License-Identifier: Apache-2.0 */
/* Data URLs of images, "data:image/png;base64,iVBOR...". */
#ifndef TK_PROVIDERS_OPENAI_IMAGES_H
#define TK_PROVIDERS_OPENAI_IMAGES_H

#include "value/doc.h"

/* Returns true for a data URL that isn't base64, or whose data doesn't begin like a PNG, JPEG, GIF or
 * WebP. False for other URLs and for what isn't a string. */
bool tk_openai_is_bad_image(struct tk_val url, struct tk_arena *arena);

#endif
