/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs cache markers (CATALOGUE 3.8). */
#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

int tk_fix_marker_off(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_REWRITE);

    (void)d;
    return r < 0 ? r : tk_change_remove(p->e, f->site.part, &p->j->t->shape->cache_marker);
}

struct tk_decision tk_want_one_lifetime(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return tk_edit_by(policy->preserve ? TK_ACTION_REWRITE : TK_ACTION_NONE);
}

static uint32_t count_markers(const struct tk_transcript *t, uint32_t part)
{
    struct tk_markers m = tk_markers_of(t, part);
    uint32_t n = 0;

    while (tk_markers_next(&m))
        n++;
    return n;
}

/* Sorts spots by node. Markers come in that order except for a part's own, which comes last. */
static void put_last_in_place(struct tk_spot *spots, uint32_t n)
{
    for (uint32_t to = n; to-- > 1 && spots[to].at.node < spots[to - 1].at.node;) {
        struct tk_spot last = spots[to];

        spots[to] = spots[to - 1];
        spots[to - 1] = last;
    }
}

/* ---- too many ---- */

struct tk_decision tk_want_fewer_markers(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    const struct tk_cache *cache = &tk_anthropic(p->j)->cache;

    (void)f;
    (void)policy;
    return cache->count - cache->in_messages > TK_CACHE_MARKERS ? tk_no_edit()
                                                                : tk_edit_by(TK_ACTION_REWRITE);
}

/* Takes the first n markers off a part that has at least n. */
static int unmark(struct tk_plan *p, uint32_t part, uint32_t n)
{
    struct tk_markers m = tk_markers_of(p->j->t, part);
    struct tk_spot *spots = tk_arena_alloc(p->j->t->arena, n * sizeof(*spots));
    int r = spots ? tk_edit_part(p->e, part, TK_CODE_CACHE_CONTROL_TOO_MANY, TK_ACTION_REWRITE)
                  : -ENOMEM;

    if (r < 0)
        return r;
    for (uint32_t i = 0; i < n && tk_markers_next(&m); i++)
        spots[i] = (struct tk_spot){.at = m.at};
    put_last_in_place(spots, n);
    return tk_change_spots(p->e, part, spots, n);
}

/* Returns how many markers are outside the protected turn. */
static uint32_t count_loose(const struct tk_transcript *t)
{
    uint32_t n = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && !tk_is_protected(t, m);
             i = t->parts[i].next)
            n += count_markers(t, i);
    return n;
}

int tk_fix_too_many_markers(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t excess = tk_anthropic(p->j)->cache.count - TK_CACHE_MARKERS;
    int r = 0;

    (void)f;
    (void)d;
    if (count_loose(t) < excess)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first;
             i != TK_NONE && r == 0 && excess > 0 && !tk_is_protected(t, m); i = t->parts[i].next) {
            uint32_t n = count_markers(t, i);

            n = n < excess ? n : excess;
            if (n > 0)
                r = unmark(p, i, n);
            excess -= n;
        }
    return r;
}

/* ---- an hour after five minutes ---- */

/* Repair doesn't edit the request outside its messages. */
struct tk_decision tk_want_marker_order(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)p;
    (void)policy;
    return f->site.part == TK_NONE ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

int tk_fix_marker_order(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_markers m = tk_markers_of(p->j->t, f->site.part);
    struct tk_spot *spots =
        tk_arena_alloc(p->j->t->arena, count_markers(p->j->t, f->site.part) * sizeof(*spots));
    bool late = f->site.part != tk_anthropic(p->j)->cache.five_minutes;
    uint32_t n = 0;
    int r = spots ? tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_REWRITE) : -ENOMEM;

    (void)d;
    if (r < 0)
        return r;
    while (tk_markers_next(&m)) {
        if (tk_lives_five_minutes(m.at))
            late = true;
        else if (late && tk_lives_an_hour(m.at))
            spots[n++] =
                (struct tk_spot){tk_get(m.at, TK_STR("ttl")), tk_encode_text(p->e, TK_STR("5m"))};
    }
    put_last_in_place(spots, n);
    return tk_change_spots(p->e, f->site.part, spots, n);
}
