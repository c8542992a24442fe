/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/common/image_url.h"

#include "providers/common/image_header.h"

/* Returns the base64 of a data URL; `.p == NULL`: its data is spelled in another way. */
static struct tk_str data_of(struct tk_str url)
{
    const char *comma = memchr(url.p, ',', url.n);
    struct tk_str head = {url.p, comma ? (size_t)(comma - url.p) : 0};

    if (!comma || !tk_str_ends(head, TK_STR(";base64")))
        return (struct tk_str){0};
    return (struct tk_str){comma + 1, url.n - head.n - 1};
}

enum tk_url_image tk_url_image(struct tk_val url, struct tk_arena *arena)
{
    struct tk_str text = tk_text(url, arena), data;
    struct tk_base64 bytes;

    if (!text.p || !tk_str_starts(text, TK_STR("data:")))
        return TK_URL_IMAGE_FINE;
    data = data_of(text);
    if (!data.p || !tk_is_base64(data))
        return TK_URL_IMAGE_UNREADABLE;
    tk_base64_open_text(&bytes, data);
    return tk_image_kind_of(&bytes) == TK_IMAGE_NONE ? TK_URL_IMAGE_FOREIGN : TK_URL_IMAGE_FINE;
}
