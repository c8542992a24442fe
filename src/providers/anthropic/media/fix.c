/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repairs images (CATALOGUE 3.7): a wrong media type becomes the one that the data shows, and an
 * image that the provider doesn't take becomes the text "[image removed]". All images of a client's
 * result are edited in place, in one edit.
 */
#include <errno.h>

#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/text/as_text.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"

/* Returns the fault that a code is about. */
static unsigned fault_of(uint16_t code)
{
    static const unsigned faults[TK_CODE_COUNT] = {
        [TK_CODE_IMAGE_MEDIA_TYPE_UNSUPPORTED] = TK_IMAGE_UNSUPPORTED,
        [TK_CODE_IMAGE_MEDIA_TYPE_MISMATCH] = TK_IMAGE_MISMATCH,
        [TK_CODE_IMAGE_DIMENSIONS] = TK_IMAGE_TOO_LARGE,
        [TK_CODE_IMAGE_MANY_DIMENSIONS] = TK_IMAGE_TOO_LARGE_OF_MANY,
        [TK_CODE_IMAGE_TOO_LARGE_BYTES] = TK_IMAGE_TOO_LONG,
    };

    return faults[code];
}

/* Returns true if a new media type is enough, since the data shows what the image is. */
static bool is_renamed(unsigned fault, const struct tk_image_look *look)
{
    return fault == TK_IMAGE_MISMATCH ||
           (fault == TK_IMAGE_UNSUPPORTED && look->kind != TK_IMAGE_NONE);
}

struct tk_decision tk_want_image(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_image_look look;

    (void)policy;
    if (part->block != TK_BLOCK_IMAGE)
        return tk_edit_by(TK_ACTION_REWRITE);
    look = tk_look_at_image(p->j, tk_part_val(part, part->node));
    return tk_edit_by(is_renamed(fault_of(f->code), &look) ? TK_ACTION_REWRITE : TK_ACTION_TEXTIFY);
}

/* Returns the replacement: the media type that the data shows, or a text for the whole image. */
static struct tk_spot spot_of(struct tk_plan *p, struct tk_val block, unsigned fault,
                              const struct tk_image_look *look)
{
    const struct tk_transcript *t = p->j->t;

    if (is_renamed(fault, look))
        return (struct tk_spot){look->media_type,
                                tk_encode_text(p->e, tk_image_media_types[look->kind])};
    return (struct tk_spot){block, tk_encode_text_part(p->e, tk_textify_block(t->arena, block),
                                                       tk_marker_in(t, block))};
}

/* Returns true if this image is to be edited. Of images too large as one of many, only as many go
 * as there are too many. */
static bool goes(struct tk_plan *p, unsigned fault)
{
    if (fault != TK_IMAGE_TOO_LARGE_OF_MANY)
        return true;
    if (tk_anthropic(p->j)->limited.images <= TK_MANY_IMAGES)
        return false;
    tk_anthropic(p->j)->limited.images--;
    return true;
}

static int fix_in_result(struct tk_plan *p, const struct tk_finding *f, unsigned fault)
{
    struct tk_arena *arena = p->j->t->arena;
    struct tk_val blocks = tk_result_blocks(&p->j->t->parts[f->site.part]);
    uint32_t count = 0;
    struct tk_spot *spots = tk_arena_alloc(arena, tk_count(blocks) * sizeof(*spots));
    int r;

    if (!spots)
        return -ENOMEM;
    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v)) {
        struct tk_image_look look;

        if (!tk_is_image(v))
            continue;
        look = tk_look_at_image(p->j, v);
        if (look.faults & fault && goes(p, fault))
            spots[count++] = spot_of(p, v, fault, &look);
    }
    if (count == 0)
        return 0;
    r = tk_edit_rewritten(p->e, f->site.part, f->code);
    return r < 0 ? r : tk_change_spots(p->e, f->site.part, spots, count);
}

int tk_fix_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_val block = tk_part_val(part, part->node);
    uint16_t code = f->code;
    unsigned fault = fault_of(f->code);
    struct tk_image_look look;
    struct tk_spot spot;
    int r;

    if (part->block != TK_BLOCK_IMAGE)
        return fix_in_result(p, f, fault);
    if (!goes(p, fault))
        return 0;
    if (d.action == TK_ACTION_TEXTIFY)
        return tk_edit_textify(p->e, f->site.part, code, tk_textify_block(p->j->t->arena, block));
    look = tk_look_at_image(p->j, block);
    spot = spot_of(p, block, fault, &look);
    r = tk_edit_rewritten(p->e, f->site.part, code);
    return r < 0 ? r : tk_change_spots(p->e, f->site.part, &spot, 1);
}
