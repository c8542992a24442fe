/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/text/as_text.h"
#include "shapes/blocks.h"

/*
 * One walk from the oldest block to the newest. A first walk only adds up what each replacement
 * gains, so that nothing is edited where all of them aren't enough; the second one edits.
 */
struct relief {
    struct tk_plan *p;
    uint16_t code;
    bool edits;
    bool measures; /* the gain depends on how long the replacement is */
    uint64_t needed, gained;
    /* Returns what the replacement of a block gains; 0: the block stays. */
    uint64_t (*gain)(struct relief *r, struct tk_val block, struct tk_str replacement);
};

/* ---- what a replacement gains ---- */

static uint64_t gain_of_bytes(struct relief *r, struct tk_val block, struct tk_str replacement)
{
    uint64_t before = tk_span(block).n;

    (void)r;
    return tk_exists(tk_base64_source(block)) && before > replacement.n ? before - replacement.n
                                                                        : 0;
}

static uint64_t gain_of_image(struct relief *r, struct tk_val block, struct tk_str replacement)
{
    (void)r;
    (void)replacement;
    return tk_is_image(block);
}

static bool is_media(struct tk_val block)
{
    return tk_is_image(block) || tk_is_document(block);
}

/* ---- the walk ---- */

static bool is_enough(const struct relief *r)
{
    return r->gained >= r->needed;
}

/*
 * Adds what a block gains. Returns true if it is to be replaced; *ret_text: the encoded text part in
 * its place, `.p == NULL` when out of memory. It is made only where it is used, since a request can
 * hold a hundred thousand small images. inside: the block is one of a result.
 */
static bool goes(struct relief *r, struct tk_val block, bool inside, struct tk_str *ret_text)
{
    const struct tk_transcript *t = r->p->j->t;
    uint64_t gain;

    *ret_text = TK_STR("");
    if (is_enough(r) || !is_media(block))
        return false;
    if (r->measures || (r->edits && inside))
        *ret_text =
            tk_encode_text_part(r->p->e, tk_textify_block(t->arena, block), tk_marker_in(t, block));
    gain = ret_text->p ? r->gain(r, block, *ret_text) : 1;
    r->gained += gain;
    if (gain > 0 && r->edits && tk_is_image(block))
        tk_anthropic(r->p->j)->limited.images--;
    return gain > 0;
}

static int walk_block(struct relief *r, uint32_t part)
{
    const struct tk_part *p = &r->p->j->t->parts[part];
    struct tk_val block = tk_part_val(p, p->node);
    struct tk_str text;

    if (!goes(r, block, false, &text))
        return 0;
    if (!text.p)
        return -ENOMEM;
    return r->edits
               ? tk_edit_textify(r->p->e, part, r->code, tk_textify_block(r->p->j->t->arena, block))
               : 0;
}

static int edit_result(struct relief *r, uint32_t part, const struct tk_spot *spots, uint32_t count)
{
    int err = r->edits && count > 0 ? tk_edit_rewritten(r->p->e, part, r->code) : 0;

    return r->edits && count > 0 && err == 0 ? tk_change_spots(r->p->e, part, spots, count) : err;
}

static int walk_result(struct relief *r, uint32_t part, struct tk_val blocks)
{
    struct tk_arena *arena = r->p->j->t->arena;
    uint32_t count = 0;
    struct tk_spot *spots =
        tk_arena_alloc(arena, (r->edits ? tk_count(blocks) : 0) * sizeof(*spots));
    struct tk_str text;

    if (!spots)
        return -ENOMEM;
    for (struct tk_val v = tk_first(blocks); tk_exists(v) && !is_enough(r);
         v = tk_after(blocks, v)) {
        if (!goes(r, v, true, &text))
            continue;
        if (!text.p)
            return -ENOMEM;
        if (r->edits)
            spots[count++] = (struct tk_spot){v, text};
    }
    return edit_result(r, part, spots, count);
}

static int walk_part(struct relief *r, uint32_t part)
{
    const struct tk_part *p = &r->p->j->t->parts[part];
    struct tk_val blocks = tk_result_blocks(p);

    if (p->block == TK_BLOCK_IMAGE || p->block == TK_BLOCK_DOCUMENT)
        return walk_block(r, part);
    return tk_exists(blocks) ? walk_result(r, part, blocks) : 0;
}

/* A round edits a part once. If a result was edited, its other blocks are still the oldest. */
static bool waits(const struct relief *r, uint32_t part)
{
    return r->edits && tk_is_edited(r->p, part) &&
           tk_exists(tk_result_blocks(&r->p->j->t->parts[part]));
}

/* Walks until the gain is enough, or the rest has to wait for the next round. */
static int walk(struct relief *r)
{
    const struct tk_transcript *t = r->p->j->t;
    int err = 0;

    r->gained = 0;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && !tk_is_protected(t, m);
             i = t->parts[i].next) {
            if (is_enough(r) || waits(r, i))
                return 0;
            err = walk_part(r, i);
            if (err < 0)
                return err;
        }
    return 0;
}

static struct tk_decision want(struct relief *r)
{
    bool fits = walk(r) == 0 && is_enough(r);

    return fits ? tk_edit_by(TK_ACTION_TEXTIFY) : tk_no_edit();
}

static int relieve(struct relief r)
{
    r.edits = true;
    return walk(&r);
}

/* ---- bytes ---- */

static struct relief fewer_bytes(struct tk_plan *p)
{
    uint64_t bytes = tk_anthropic(p->j)->limited.bytes, most = tk_most_bytes(p->j);

    return (struct relief){.p = p,
                           .code = TK_CODE_REQUEST_TOO_LARGE,
                           .measures = true,
                           .needed = bytes > most ? bytes - most : 0,
                           .gain = gain_of_bytes};
}

struct tk_decision tk_want_fewer_bytes(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    struct relief r = fewer_bytes(p);

    (void)f;
    return policy->preserve ? want(&r) : tk_no_edit();
}

int tk_fix_too_many_bytes(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)f;
    (void)d;
    return relieve(fewer_bytes(p));
}

/* ---- images ---- */

static struct relief fewer_images(struct tk_plan *p)
{
    uint32_t images = tk_anthropic(p->j)->limited.images, most = tk_most_images(p->j);

    return (struct relief){.p = p,
                           .code = TK_CODE_IMAGE_COUNT,
                           .needed = images > most ? images - most : 0,
                           .gain = gain_of_image};
}

struct tk_decision tk_want_fewer_images(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    struct relief r = fewer_images(p);

    (void)f;
    (void)policy;
    return want(&r);
}

int tk_fix_too_many_images(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)f;
    (void)d;
    return relieve(fewer_images(p));
}
