/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repairs the members of the client's results (CATALOGUE 3.6). Blocks that a result may not hold
 * move after the results of its user turn, where the model reads them next, or become text in
 * place. All blocks of a result are edited at once.
 */
#include <errno.h>

#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/text/as_text.h"
#include "shapes/shape.h"
#include "value/compact.h"
#include "value/splice.h"
#include "value/unicode.h"

static const struct tk_path content_path = {{"content"}};
static const struct tk_path toolset_path = {{"toolset_name"}};

static struct tk_val blocks_of(const struct tk_plan *p, uint32_t part)
{
    return tk_result_blocks(&p->j->t->parts[part]);
}

/* ---- content of another type ---- */

int tk_fix_result_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *result = &p->j->t->parts[f->site.part];
    struct tk_out json;
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    tk_out_init(&json, p->j->t->arena);
    tk_compact_json(&json, tk_part_val(result, result->payload), NULL);
    return r < 0 ? r
                 : tk_change_set(p->e, f->site.part, &content_path,
                                 tk_encode_text(p->e, tk_out_join(&json)));
}

/* ---- toolsets ---- */

int tk_fix_toolset_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str name = tk_toolset_of(t, &t->parts[tk_client_partner(p->j, f->site.part)]);
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    if (r < 0)
        return r;
    return name.p ? tk_change_set(p->e, f->site.part, &toolset_path, tk_encode_text(p->e, name))
                  : tk_change_remove(p->e, f->site.part, &toolset_path);
}

/* ---- blocks that move out ---- */

/* Returns the last client result of a turn, searched from its end. */
static uint32_t last_result(const struct tk_transcript *t, const struct tk_turn *turn)
{
    for (uint32_t m = turn->last;; m = t->messages[m].prev) {
        for (uint32_t i = t->messages[m].last; i != TK_NONE; i = t->parts[i].prev)
            if (tk_is_result(&t->parts[i], false))
                return i;
        if (m == turn->first)
            return TK_NONE;
    }
}

/* Returns the part after which a result's blocks go: the turn's last result, or the block that went
 * there last in this round. */
static uint32_t place_after(struct tk_plan *p, uint32_t result)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t turn = t->messages[t->parts[result].message].turn;
    uint32_t last = tk_anthropic(p->j)->round.unloaded_after;

    if (tk_anthropic(p->j)->round.unloaded_turn == turn &&
        !(t->parts[last].flags & TK_PART_REMOVED) &&
        t->messages[t->parts[last].message].turn == turn)
        return last;
    tk_anthropic(p->j)->round.unloaded_turn = turn;
    last = last_result(t, &t->turns[turn]);
    return last == TK_NONE ? result : last;
}

/* True if the part moved to a message that this round added: such a message has no turn before the
 * round ends. */
static bool is_between_turns(const struct tk_plan *p, uint32_t part)
{
    return p->j->t->messages[p->j->t->parts[part].message].turn == TK_NONE;
}

static int put_behind(struct tk_plan *p, uint32_t result, struct tk_val block)
{
    uint32_t after = place_after(p, result);
    int r = tk_edit_insert(p->e, p->j->t->parts[after].message, after, tk_span(block));

    tk_anthropic(p->j)->round.unloaded_after = p->j->t->part_count - 1;
    return r;
}

struct tk_decision tk_want_unload(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    (void)policy;
    return p->j->t->messages[f->site.entry].role == TK_ROLE_USER ? tk_edit_by(TK_ACTION_MOVE)
                                                                 : tk_no_edit();
}

/* Returns the kinds of blocks that leave a result, by code: TK_HOLDS_*. */
static unsigned leaving(uint16_t code)
{
    const unsigned blocks = ~(unsigned)TK_HOLDS_NO_BLOCK;

    switch (code) {
    case TK_CODE_TOOL_RESULT_ERROR_NON_TEXT:
        return blocks & ~(unsigned)(TK_HOLDS_TEXT | TK_HOLDS_UNKNOWN);
    case TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED:
        return blocks & ~(unsigned)TK_HOLDS_SEARCH_RESULT;
    default:
        return blocks & ~(unsigned)TK_HOLDS_TOOL_REFERENCE;
    }
}

/*
 * Takes the blocks of these kinds out of a result and puts them after the turn's results, except
 * for kinds in `kept`, whose words the caller keeps. A result without blocks left loses its
 * content.
 */
static int take_out(struct tk_plan *p, uint32_t part, unsigned kinds, unsigned kept)
{
    struct tk_val blocks = blocks_of(p, part);
    uint32_t count = tk_count(blocks), index = 0, dead_count = 0;
    struct tk_element *dead = tk_arena_alloc(p->j->t->arena, count * sizeof(*dead));
    int r = dead ? 0 : -ENOMEM;

    for (struct tk_val v = tk_first(blocks); tk_exists(v) && r == 0;
         v = tk_after(blocks, v), index++) {
        unsigned kind = tk_result_block_of(v);

        if (!(kind & kinds))
            continue;
        dead[dead_count++] = (struct tk_element){.index = index};
        if (!(kind & kept))
            r = put_behind(p, part, v);
    }
    if (r < 0)
        return r;
    return dead_count == count ? tk_change_remove(p->e, part, &content_path)
                               : tk_change_elements(p->e, part, &content_path, dead, dead_count);
}

/* Writes the line for a result from whose inside something goes elsewhere. */
static int note_unloaded(struct tk_plan *p, const struct tk_finding *f)
{
    p->j->t->parts[f->site.part].flags |= TK_PART_CHANGED;
    return tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_MOVE);
}

int tk_fix_unload(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r;

    (void)d;
    if (is_between_turns(p, f->site.part))
        return 0;
    r = note_unloaded(p, f);
    return r < 0 ? r : take_out(p, f->site.part, leaving(f->code), 0);
}

/* ---- search results that keep the texts next to them ---- */

/* Returns a list of what the first hit contains and then the texts next to the hits. */
static struct tk_str gathered(struct tk_plan *p, struct tk_val blocks, struct tk_val content)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_list(&out.w);
    if (tk_is(content, TK_STRING))
        p->j->t->shape->write_text(&out.w, tk_span(content), (struct tk_str){0});
    else if (tk_is(content, TK_OBJECT))
        tk_write_val(&out.w, content);
    for (struct tk_val v = tk_first(content); tk_is(content, TK_ARRAY) && tk_exists(v);
         v = tk_after(content, v))
        tk_write_val(&out.w, v);
    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        if (tk_result_block_of(v) == TK_HOLDS_TEXT)
            tk_write_val(&out.w, v);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

static int gather(struct tk_plan *p, uint32_t part)
{
    struct tk_val blocks = blocks_of(p, part), hit = tk_first(blocks), content;
    struct tk_spot spot;

    while (tk_result_block_of(hit) != TK_HOLDS_SEARCH_RESULT)
        hit = tk_after(blocks, hit);
    content = tk_get(hit, TK_STR("content"));
    spot = (struct tk_spot){content, gathered(p, blocks, content)};
    if (!tk_exists(content))
        spot =
            (struct tk_spot){hit, tk_splice_add(p->j->t->arena, hit, hit, "content", spot.value)};
    return tk_change_spots(p->e, part, &spot, 1);
}

static bool holds_text(struct tk_val blocks)
{
    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        if (tk_result_block_of(v) == TK_HOLDS_TEXT)
            return true;
    return false;
}

int tk_fix_search_mixed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r;

    (void)d;
    if (is_between_turns(p, f->site.part))
        return 0;
    r = note_unloaded(p, f);
    if (r == 0 && holds_text(blocks_of(p, f->site.part)))
        r = gather(p, f->site.part);
    return r < 0 ? r
                 : take_out(p, f->site.part, leaving(TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED),
                            TK_HOLDS_TEXT);
}

/* ---- text in the place of blocks ---- */

struct texts {
    struct tk_element *elements;
    uint32_t count, blank; /* blank: how many of them are blank */
};

static void add_text(struct tk_plan *p, struct texts *x, struct tk_val block, uint32_t index)
{
    struct tk_str text = tk_textify_block(p->j->t->arena, block);
    struct tk_element element = {.index = index};

    if (tk_is_blank(text))
        x->blank++;
    else
        element.value = tk_encode_text_part(p->e, text, tk_marker_in(p->j->t, block));
    x->elements[x->count++] = element;
}

/* Collects the texts of the blocks that a result must not hold. A toolset's result keeps its first
 * browser state. */
static int collect(struct tk_plan *p, uint32_t part, unsigned kinds, struct texts *ret)
{
    struct tk_val blocks = blocks_of(p, part);
    uint32_t index = 0;
    bool seen_state = false;

    *ret = (struct texts){tk_arena_alloc(p->j->t->arena, tk_count(blocks) * sizeof(*ret->elements)),
                          0, 0};
    if (!ret->elements)
        return -ENOMEM;
    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v), index++) {
        unsigned kind = tk_result_block_of(v);
        bool again = seen_state && kind == TK_HOLDS_BROWSER_STATE;

        seen_state = seen_state || kind == TK_HOLDS_BROWSER_STATE;
        if (kind & kinds || again)
            add_text(p, ret, v, index);
    }
    return 0;
}

int tk_fix_result_blocks(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    bool code = f->code == TK_CODE_PTC_RESULT_NON_TEXT;
    uint32_t count = tk_count(blocks_of(p, f->site.part));
    struct texts x;
    int r = collect(p, f->site.part, code ? TK_NOT_FOR_CODE : TK_NOT_IN_TOOLSETS, &x);

    (void)d;
    if (r == 0)
        r = tk_edit_rewritten(p->e, f->site.part, f->code);
    if (r < 0)
        return r;
    return x.blank == count
               ? tk_change_remove(p->e, f->site.part, &content_path)
               : tk_change_elements(p->e, f->site.part, &content_path, x.elements, x.count);
}
