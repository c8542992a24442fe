/* SPDX-License-Identifier: Apache-2.0 */
/* Images in inlineData (PROVIDERS.md 7.6): base64 or base64url, padding is optional. */
#include "providers/common/image_header.h"
#include "providers/gemini/rules.h"

enum {
    HEAD_MAX = 16, /* digits that show an image's kind */
};

static bool is_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '-' || c == '_';
}

/* Returns true for at least one byte in either alphabet. */
static bool is_base64(struct tk_val data, struct tk_str text)
{
    size_t n = text.n, other = 0;

    if (n == 0 || tk_base64_valid(data))
        return n > 0;
    while (n > 0 && text.n - n < 2 && text.p[n - 1] == '=')
        n--;
    while (other < n && is_digit(text.p[other]))
        other++;
    return n > 0 && other == n && n % 4 != 1 && (n == text.n || text.n % 4 == 0);
}

static enum tk_image_kind kind_of(struct tk_str text)
{
    char head[HEAD_MAX];
    struct tk_base64 bytes;

    for (size_t i = 0; i < HEAD_MAX; i++) {
        char c = i < text.n ? text.p[i] : '=';

        head[i] = c == '-' ? '+' : c == '_' ? '/' : c;
    }
    tk_base64_open_text(&bytes,
                        (struct tk_str){head, text.n < HEAD_MAX ? (text.n + 3) / 4 * 4 : HEAD_MAX});
    return tk_image_kind_of(&bytes);
}

bool tk_gem_is_bad_image(const struct tk_part *p, struct tk_arena *arena)
{
    struct tk_val image = tk_gemini_get(p, TK_GEMINI_INLINE_DATA);
    struct tk_val type = tk_get_spelled(image, TK_STR("mimeType"), TK_STR("mime_type"));
    struct tk_val data = tk_get(image, TK_STR("data"));
    enum tk_image_kind kind = tk_image_declared(type);
    struct tk_str text;

    if (tk_is(data, TK_BIN) || !tk_str_starts(tk_text(type, arena), TK_STR("image/")))
        return false;
    text = tk_text(data, arena);
    return !is_base64(data, text) || (kind != TK_IMAGE_NONE && kind_of(text) != kind);
}
