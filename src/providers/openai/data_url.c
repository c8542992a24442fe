/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/data_url.h"

#include "value/base64.h"

/* Digits that have the bytes of every signature. */
enum {
    HEAD_DIGITS = 16,
};

static bool has_signature(struct tk_str head)
{
    struct tk_str webp = head.n >= 12 ? (struct tk_str){head.p + 8, 4} : (struct tk_str){0};

    return tk_str_starts(head, TK_STR("\x89PNG")) || tk_str_starts(head, TK_STR("\xff\xd8\xff")) ||
           tk_str_starts(head, TK_STR("GIF87a")) || tk_str_starts(head, TK_STR("GIF89a")) ||
           (tk_str_starts(head, TK_STR("RIFF")) && webp.p && tk_str_is(webp, "WEBP"));
}

bool tk_is_invalid_image_url(struct tk_val url, struct tk_arena *arena)
{
    struct tk_str text = tk_text(url, arena), head;
    const char *comma;

    if (!text.p || !tk_str_starts(text, TK_STR("data:")))
        return false;
    comma = memchr(text.p, ',', text.n);
    if (!comma ||
        !tk_str_ends((struct tk_str){text.p, (size_t)(comma - text.p)}, TK_STR(";base64")))
        return true;
    text = (struct tk_str){comma + 1, (size_t)(text.p + text.n - comma - 1)};
    if (!tk_is_base64(text))
        return true;
    head = (struct tk_str){text.p, text.n < HEAD_DIGITS ? text.n : HEAD_DIGITS};
    return tk_base64_decode(head, arena, &head) != 0 || !has_signature(head);
}
