/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/redact/redact_inside.h"
#include "providers/common/image_header.h"
#include "value/permute.h"

/* ---- what the first bytes say ---- */

/* Digits of base64 that have the first bytes of an image, and of a PDF. */
enum {
    IMAGE_HEAD = 16,
    PDF_HEAD = 8,
};

/* First bytes by which rules know data. '?' is any byte. */
static const struct {
    struct tk_str bytes;
    size_t digits; /* so many stay */
} heads[] = {
    {TK_STR_INIT("\x89PNG"), IMAGE_HEAD},          {TK_STR_INIT("\xff\xd8\xff"), IMAGE_HEAD},
    {TK_STR_INIT("GIF87a"), IMAGE_HEAD},           {TK_STR_INIT("GIF89a"), IMAGE_HEAD},
    {TK_STR_INIT("RIFF\?\?\?\?WEBP"), IMAGE_HEAD}, {TK_STR_INIT("%PDF-"), PDF_HEAD},
};

static bool begins_with(struct tk_base64 data, struct tk_str bytes)
{
    for (size_t i = 0; i < bytes.n; i++)
        if (bytes.p[i] != '?' && tk_base64_byte(&data, i) != (uint8_t)bytes.p[i])
            return false;
    return true;
}

/* Returns how many digits at the start stay; 0: the data isn't known. */
static size_t head_of(struct tk_base64 data)
{
    for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]); i++)
        if (begins_with(data, heads[i].bytes))
            return heads[i].digits;
    return 0;
}

/* ---- the rest ---- */

/* Replaces data between the groups that show the size of an image, which stay. */
struct gaps {
    const uint64_t *key;
    struct tk_spelled text; /* its start moves on as gaps are replaced */
    uint64_t count;
};

static void end_gap(struct gaps *g, uint8_t *end)
{
    const uint64_t own[2] = {g->key[0], g->key[1] ^ ++g->count};

    if (end > g->text.at)
        tk_permute(own, (struct tk_spelled){g->text.at, end, g->text.depth});
}

/* Groups are read in ascending order, and only what is before them is overwritten. */
static void on_group(void *arg, const uint8_t *from, const uint8_t *to)
{
    struct gaps *g = arg;

    if (from < g->text.at)
        return;
    end_gap(g, g->text.at + (from - g->text.at));
    g->text.at += to - g->text.at;
}

static uint8_t *after(struct tk_spelled text, size_t n)
{
    for (uint32_t c; n > 0 && text.at < text.end; n--)
        text.at += tk_spelled_read(text.at, text.end, text.depth, &c);
    return text.at;
}

bool tk_redact_media(const uint64_t key[2], struct tk_spelled text)
{
    struct tk_base64 data = {.at = text.at, .end = text.end};
    struct gaps gaps = {.key = key, .text = text};
    size_t head;

    if (text.depth > 1 || text.at == text.end)
        return false;
    data.escaped = text.depth > 0 && memchr(text.at, '\\', (size_t)(text.end - text.at));
    head = head_of(data);
    if (head == 0)
        return false;
    gaps.text.at = after(text, head);
    data.on_group = on_group;
    data.arg = &gaps;
    tk_image_read(data);
    end_gap(&gaps, text.end);
    return true;
}

/* ---- data URLs ---- */

/* Returns the place of a character, or the end of the text. */
static uint8_t *find(struct tk_spelled text, uint32_t wanted)
{
    while (text.at < text.end) {
        uint32_t c;
        size_t n = tk_spelled_read(text.at, text.end, text.depth, &c);

        if (c == wanted)
            return text.at;
        text.at += n;
    }
    return text.at;
}

bool tk_redact_data_url(const uint64_t key[2], struct tk_spelled text)
{
    struct tk_spelled part = {after(text, sizeof("data:") - 1), find(text, ','), text.depth};
    uint8_t *const comma = part.end;

    if (comma == text.end || part.at > comma)
        return false;
    while (part.at < comma) {
        part.end = find((struct tk_spelled){part.at, comma, text.depth}, ';');
        tk_redact_text(key, part, TK_REDACTED_WORD);
        part.at =
            part.end < comma ? after((struct tk_spelled){part.end, comma, text.depth}, 1) : comma;
    }
    part = (struct tk_spelled){comma, text.end, text.depth};
    part.at = after(part, 1);
    if (!tk_redact_media(key, part))
        tk_permute(key, part);
    return true;
}
