/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs blank texts, and white space at the end (CATALOGUE 3.4). */
#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/members.h"
#include "shapes/shape.h"
#include "value/splice.h"
#include "value/unicode.h"

static const struct tk_path content_path = {{"content"}};

static bool is_in_protected(const struct tk_plan *p, uint32_t part)
{
    return tk_is_protected(p->j->t, p->j->t->parts[part].message);
}

/* Returns true for a text part whose text is of another type, and not empty. */
static bool is_unreadable(const struct tk_part *p)
{
    return p->kind == TK_PART_TEXT && tk_is_unreadable(tk_part_val(p, p->payload), TK_STRING);
}

/* A text between signed thinking blocks stays; only a cache marker on it may go. */
struct tk_decision tk_want_no_blank(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy)
{
    if (policy->blank_text == TK_FIX_REPORT || f->site.part == TK_NONE ||
        is_unreadable(&p->j->t->parts[f->site.part]))
        return tk_no_edit();
    if (tk_is_separator(p->j->t, f->site.part, NULL))
        return is_in_protected(p, f->site.part) ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
    return tk_edit_by(p->j->t->parts[f->site.part].kind == TK_PART_TEXT ? TK_ACTION_DROP
                                                                        : TK_ACTION_REWRITE);
}

/* ---- inside a result ---- */

/* Walk over the blocks inside a result: which of them go, and which one gets a marker. */
struct sieve {
    struct tk_edits *e;
    struct tk_element *list; /* by block; index TK_NONE: the block stays unchanged */
    struct tk_val carrier;   /* the last block that stays, it can take a marker */
    uint32_t carrier_index;
    struct tk_str homeless; /* marker that no earlier block of the result can take */
};

static struct tk_val marker_in(struct tk_val block)
{
    return tk_get(block, TK_STR("cache_control"));
}

/* Hands the marker of a block that goes to the nearest block before it. If that has one already,
 * the marker is dropped: one is enough there. */
static int hand_back(struct sieve *s, struct tk_val marker)
{
    struct tk_element *x = &s->list[s->carrier_index];
    struct tk_val old;

    if (!tk_is_given(marker))
        return 0;
    if (!tk_exists(s->carrier)) {
        s->homeless = tk_span(marker);
        return 0;
    }
    old = marker_in(s->carrier);
    if (x->value.p || tk_is_given(old))
        return 0;
    x->index = s->carrier_index;
    x->value = tk_exists(old) ? tk_splice_replace(s->e->t->arena, s->carrier, old, tk_span(marker))
                              : tk_splice_add(s->e->t->arena, s->carrier, s->carrier,
                                              "cache_control", tk_span(marker));
    return x->value.p ? 0 : -ENOMEM;
}

/* Notes in s->list which blocks go: the empty ones, since white space next to a result is only a
 * warning. Returns how many stay, or -ENOMEM. */
static int sift(struct sieve *s, struct tk_val blocks)
{
    uint32_t index = 0;
    int stay = 0, r = 0;

    for (struct tk_val v = tk_first(blocks); tk_exists(v) && r == 0; v = tk_after(blocks, v)) {
        bool goes = tk_blank_block(v) & TK_BLANK_EMPTY;

        s->list[index] = (struct tk_element){.index = goes ? index : TK_NONE};
        if (goes) {
            r = hand_back(s, marker_in(v));
        } else {
            /* Only an object can take a marker. */
            s->carrier_index = tk_is(v, TK_OBJECT) ? index : s->carrier_index;
            s->carrier = tk_is(v, TK_OBJECT) ? v : s->carrier;
            stay++;
        }
        index++;
    }
    return r < 0 ? r : stay;
}

static uint32_t without_those_that_stay(struct tk_element *list, uint32_t n)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++)
        if (list[i].index != TK_NONE)
            list[count++] = list[i];
    return count;
}

/* Takes the empty blocks out of a result. A result may have no content at all, but not an empty
 * list. */
static int empty_result(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_val blocks = tk_blocks_inside(&p->j->t->parts[f->site.part]);
    uint32_t n = tk_count(blocks);
    struct sieve s = {
        .e = p->e,
        .list = tk_arena_alloc(p->j->t->arena, n * sizeof(*s.list)),
        .carrier = TK_NO_VAL,
    };
    int stay = s.list ? sift(&s, blocks) : -ENOMEM;
    int r = stay < 0 ? stay : tk_edit_rewritten(p->e, f->site.part, f->code);

    if (r == 0 && s.homeless.p)
        r = tk_marker_give(p->e, f->site.part, s.homeless);
    if (r < 0)
        return r;
    if (stay == 0)
        return tk_change_remove(p->e, f->site.part, &content_path);
    return tk_change_elements(p->e, f->site.part, &content_path, s.list,
                              without_those_that_stay(s.list, n));
}

/* ---- */

static int unmark(struct tk_plan *p, const struct tk_finding *f)
{
    int r = tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_REWRITE);

    if (r == 0)
        r = tk_marker_hand_on(p->e, f->site.part);
    return r < 0 ? r : tk_change_remove(p->e, f->site.part, &p->j->t->shape->cache_marker);
}

int tk_fix_blank(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (d.action == TK_ACTION_REWRITE)
        return p->j->t->parts[f->site.part].kind == TK_PART_TEXT ? unmark(p, f)
                                                                 : empty_result(p, f);
    /* Its blank neighbour was dropped this round, so this one stays as separator. */
    if (tk_is_separator(p->j->t, f->site.part, &tk_anthropic(p->j)->round.separator_walk))
        return 0;
    return tk_fix_drop(p, f, d);
}

int tk_fix_trailing_space(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_str text = tk_text(tk_part_val(part, part->payload), p->j->t->arena);
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_text(p->e, f->site.part, tk_encode_text(p->e, tk_trim_end(text)));
}
