/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/images.h"

#include "value/base64.h"

/* The first bytes of an image; `skip` bytes come before the second run. */
static const struct {
    struct tk_str first, second;
    size_t skip;
} signatures[] = {
    {TK_STR_INIT("\x89PNG\r\n\x1a\n"), TK_STR_INIT(""), 0},
    {TK_STR_INIT("\xff\xd8\xff"), TK_STR_INIT(""), 0},
    {TK_STR_INIT("GIF87a"), TK_STR_INIT(""), 0},
    {TK_STR_INIT("GIF89a"), TK_STR_INIT(""), 0},
    {TK_STR_INIT("RIFF"), TK_STR_INIT("WEBP"), 4},
};

/* Digits of base64 that are decoded: 12 bytes. */
enum {
    HEAD = 16
};

static bool is_at(struct tk_str bytes, size_t at, struct tk_str want)
{
    return bytes.n >= at + want.n && memcmp(bytes.p + at, want.p, want.n) == 0;
}

static bool is_image(struct tk_str bytes)
{
    for (size_t i = 0; i < sizeof(signatures) / sizeof(signatures[0]); i++)
        if (is_at(bytes, 0, signatures[i].first) &&
            is_at(bytes, signatures[i].first.n + signatures[i].skip, signatures[i].second))
            return true;
    return false;
}

/* Returns the data of a data URL in base64; `.p == NULL`: it is of another kind. */
static struct tk_str data_of(struct tk_str url)
{
    const char *comma = memchr(url.p, ',', url.n);
    struct tk_str head = {url.p, comma ? (size_t)(comma - url.p) : 0};

    if (!comma || !tk_str_ends(head, TK_STR(";base64")))
        return (struct tk_str){0};
    return (struct tk_str){comma + 1, url.n - head.n - 1};
}

enum tk_url_image tk_openai_image(struct tk_val url, struct tk_arena *arena)
{
    struct tk_str text = tk_text(url, arena), data, bytes;

    if (!text.p || !tk_str_starts(text, TK_STR("data:")))
        return TK_IMAGE_FINE;
    data = data_of(text);
    if (!data.p || !tk_is_base64(data))
        return TK_IMAGE_UNREADABLE;
    if (data.n > HEAD)
        data.n = HEAD;
    if (tk_base64_decode(data, arena, &bytes) != 0)
        return TK_IMAGE_UNREADABLE;
    return is_image(bytes) ? TK_IMAGE_FINE : TK_IMAGE_BAD;
}
