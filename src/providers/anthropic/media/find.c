/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "providers/anthropic/media/document_name.h"
#include "providers/anthropic/state.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"
#include "value/base64.h"

/* Most pixels that a side of an image may have. */
enum {
    LARGEST = 8000,
    LARGEST_OF_MANY = 2000,
};

struct tk_val tk_result_blocks(const struct tk_part *p)
{
    struct tk_val content = tk_part_val(p, p->payload);

    return p->block == TK_BLOCK_TOOL_RESULT && tk_is(content, TK_ARRAY) ? content : TK_NO_VAL;
}

/* ---- images ---- */

struct tk_val tk_base64_source(struct tk_val block)
{
    struct tk_val source = tk_get(block, TK_STR("source"));

    return tk_text_is(tk_get(source, TK_STR("type")), TK_STR("base64")) ? source : TK_NO_VAL;
}

static unsigned faults_of_size(const struct tk_image *image)
{
    uint32_t side = image->width > image->height ? image->width : image->height;

    return side > LARGEST           ? TK_IMAGE_TOO_LARGE
           : side > LARGEST_OF_MANY ? TK_IMAGE_TOO_LARGE_OF_MANY
                                    : 0;
}

static bool is_too_long(const struct tk_judge *j, struct tk_val data)
{
    size_t most = tk_most_image_bytes(j);

    /* Escapes only make the spelling longer than the text. */
    return (j->has & TK_HAS_HISTORY) && tk_is(data, TK_STRING) && tk_node(data)->len > most &&
           tk_base64_length(data) > most;
}

struct tk_image_look tk_look_at_image(const struct tk_judge *j, struct tk_val block)
{
    struct tk_val source = tk_base64_source(block), data;
    struct tk_image_look look = {0, TK_IMAGE_NONE, TK_NO_VAL};
    enum tk_image_kind declared;
    struct tk_image image;

    if (!tk_exists(source))
        return look;
    look.media_type = tk_get(source, TK_STR("media_type"));
    data = tk_get(source, TK_STR("data"));
    declared = tk_image_declared(look.media_type);
    image = tk_image_of(data);
    look.kind = image.kind;
    look.faults = faults_of_size(&image) | (is_too_long(j, data) ? TK_IMAGE_TOO_LONG : 0);
    if (tk_exists(look.media_type) && declared == TK_IMAGE_NONE)
        look.faults |= TK_IMAGE_UNSUPPORTED;
    if (declared == TK_IMAGE_NONE)
        return look;
    if (image.kind == TK_IMAGE_NONE || !tk_base64_valid(data))
        look.faults |= TK_IMAGE_UNREADABLE;
    if (image.kind != TK_IMAGE_NONE && image.kind != declared)
        look.faults |= TK_IMAGE_MISMATCH;
    return look;
}

/* ---- documents ---- */

static bool is_broken_pdf(struct tk_val block)
{
    static const char head[] = "%PDF-";
    struct tk_val source = tk_base64_source(block), data = tk_get(source, TK_STR("data"));
    struct tk_base64 b;

    if (!tk_text_is(tk_get(source, TK_STR("media_type")), TK_STR("application/pdf")))
        return false;
    tk_base64_open(&b, data);
    for (size_t i = 0; head[i]; i++)
        if (tk_base64_byte(&b, i) != head[i])
            return true;
    return !tk_base64_valid(data);
}

/* ---- parts ---- */

/* Faults of a part's images and documents. A fault that several images have is found once. */
struct sight {
    unsigned faults; /* of all its images, TK_IMAGE_* */
    bool broken_pdf, bad_name;
    uint32_t images;
    struct tk_image_look unsupported, mismatch; /* the first image with that fault */
    size_t length;                              /* of the first one that is too long */
};

static void see_image(const struct tk_judge *j, struct sight *sight, struct tk_val block)
{
    struct tk_image_look look = tk_look_at_image(j, block);
    unsigned fresh = look.faults & ~sight->faults;

    if (fresh & TK_IMAGE_UNSUPPORTED)
        sight->unsupported = look;
    if (fresh & TK_IMAGE_MISMATCH)
        sight->mismatch = look;
    if (fresh & TK_IMAGE_TOO_LONG)
        sight->length = tk_base64_length(tk_get(tk_base64_source(block), TK_STR("data")));
    sight->faults |= look.faults;
    sight->images++;
}

static void see(const struct tk_judge *j, struct sight *sight, struct tk_val block)
{
    if (tk_is_image(block))
        see_image(j, sight, block);
    else if (tk_is_document(block)) {
        sight->broken_pdf = sight->broken_pdf || is_broken_pdf(block);
        sight->bad_name = sight->bad_name || tk_has_bad_name(j, block);
    }
}

static bool may_hold_media(const struct tk_part *p)
{
    return p->block == TK_BLOCK_IMAGE || p->block == TK_BLOCK_DOCUMENT ||
           tk_exists(tk_result_blocks(p));
}

static struct sight look_at(const struct tk_judge *j, const struct tk_part *p)
{
    struct sight sight = {.faults = 0};
    struct tk_val blocks = tk_result_blocks(p);

    if (p->block == TK_BLOCK_IMAGE || p->block == TK_BLOCK_DOCUMENT)
        see(j, &sight, tk_part_val(p, p->node));
    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        see(j, &sight, v);
    return sight;
}

static int find_wrong_type(struct tk_judge *j, uint32_t part, uint16_t code,
                           const struct tk_image_look *look)
{
    int r = tk_find_part(&j->findings, j->t, code, part);

    return r < 0 ? r
                 : tk_find_words(&j->findings, j->t, tk_text(look->media_type, j->t->arena),
                                 tk_image_media_types[look->kind]);
}

static int find_too_long(struct tk_judge *j, uint32_t part, size_t length)
{
    struct tk_str word = tk_arena_printf(j->t->arena, "%zu", length);
    int r =
        word.p ? tk_find_part(&j->findings, j->t, TK_CODE_IMAGE_TOO_LARGE_BYTES, part) : -ENOMEM;

    return r < 0 ? r : tk_find_words(&j->findings, j->t, word, (struct tk_str){0});
}

static int find(struct tk_judge *j, uint32_t part, bool applies, uint16_t code)
{
    return applies ? tk_find_part(&j->findings, j->t, code, part) : 0;
}

static int judge_part(struct tk_judge *j, uint32_t part, bool *ret_large)
{
    struct sight sight = look_at(j, &j->t->parts[part]);
    int r = 0;

    tk_anthropic(j)->limited.images += sight.images;
    *ret_large = *ret_large || sight.faults & TK_IMAGE_TOO_LARGE_OF_MANY;
    if (sight.faults & TK_IMAGE_UNSUPPORTED)
        r = find_wrong_type(j, part, TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED, &sight.unsupported);
    if (r == 0 && sight.faults & TK_IMAGE_MISMATCH)
        r = find_wrong_type(j, part, TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH, &sight.mismatch);
    if (r == 0)
        r = find(j, part, sight.faults & TK_IMAGE_UNREADABLE, TK_CODE_IMAGE_UNPROCESSABLE);
    if (r == 0)
        r = find(j, part, sight.faults & TK_IMAGE_TOO_LARGE, TK_CODE_IMAGE_DIMENSIONS);
    if (r == 0)
        r = find(j, part, sight.broken_pdf, TK_CODE_PDF_INVALID);
    if (r == 0)
        r = find(j, part, sight.bad_name, TK_CODE_DOCUMENT_NAME_CHARS);
    return r == 0 && sight.faults & TK_IMAGE_TOO_LONG ? find_too_long(j, part, sight.length) : r;
}

/* Finds images that are too large as one of many. Runs after all images were counted. */
static int judge_one_of_many(struct tk_judge *j, uint32_t part, bool *ret_large)
{
    struct sight sight = look_at(j, &j->t->parts[part]);

    (void)ret_large;
    return find(j, part, sight.faults & TK_IMAGE_TOO_LARGE_OF_MANY, TK_CODE_IMAGE_MANY_DIMENSIONS);
}

static int each_part(struct tk_judge *j, int (*judge)(struct tk_judge *, uint32_t, bool *),
                     bool *ret_large)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (may_hold_media(&t->parts[i]))
                r = tk_judge_cancelled(j, step++) ? -ECANCELED : judge(j, i, ret_large);
    return r;
}

int tk_judge_media(struct tk_judge *j)
{
    bool large = false;
    int r;

    tk_anthropic(j)->limited.images = 0;
    r = each_part(j, judge_part, &large);
    if (r == 0 && large && tk_anthropic(j)->limited.images > TK_MANY_IMAGES)
        r = each_part(j, judge_one_of_many, &large);
    return r;
}
