/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/cache/markers.h"

#include "engine/protect.h"
#include "providers/anthropic/state.h"

static struct tk_val marker_in(const struct tk_transcript *t, struct tk_val block)
{
    const struct tk_shape *d = t->shape;
    struct tk_str type = tk_adapter_of(d)->marker_type;
    struct tk_val v = tk_path_get(block, &d->cache_marker);

    if (!d->cache_marker.keys[0] || !tk_exists(v) || tk_is(v, TK_NULL))
        return TK_NO_VAL;
    if (type.p && !tk_text_is(tk_get(v, TK_STR("type")), type))
        return TK_NO_VAL;
    return v;
}

static struct tk_val marker_value(const struct tk_transcript *t, const struct tk_part *p)
{
    return p->flags & TK_PART_STRING ? TK_NO_VAL : marker_in(t, tk_part_val(p, p->node));
}

struct tk_str tk_marker_in(const struct tk_transcript *t, struct tk_val block)
{
    struct tk_val v = marker_in(t, block);

    return tk_exists(v) ? tk_span(v) : (struct tk_str){0};
}

struct tk_str tk_marker_of(const struct tk_transcript *t, uint32_t part)
{
    struct tk_val v = marker_value(t, &t->parts[part]);

    return tk_exists(v) ? tk_span(v) : (struct tk_str){0};
}

/* Compares a key's first character first: this runs for every value of a history. */
static inline bool is_named(struct tk_val v, struct tk_str name)
{
    const struct tk_node *n = tk_node(v);
    const char *key = (const char *)v.doc->base + n->key;

    if (n->flags & TK_NODE_KEY_ESCAPED)
        return tk_key_is(v, name);
    return n->key_len == name.n && key[0] == name.p[0] && memcmp(key, name.p, name.n) == 0;
}

static bool is_marker(struct tk_val v)
{
    return is_named(v, TK_STR(TK_MARKER_KEY)) && !tk_is(v, TK_NULL);
}

struct tk_markers tk_markers_of(const struct tk_transcript *t, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];
    struct tk_val v = tk_may_have_markers(p) ? tk_part_val(p, p->node) : TK_NO_VAL;

    return (struct tk_markers){.part = v, .member = tk_first(v), .own = TK_NO_VAL};
}

/* Finds the next marker inside a member that is a list or an object. */
static bool next_inside(struct tk_markers *m)
{
    while (m->node < m->end) {
        struct tk_val v = {m->part.doc, m->node};
        bool marker = is_marker(v);

        m->node = marker || is_named(v, TK_STR(TK_INPUT_KEY)) ? tk_node(v)->next : m->node + 1;
        if (marker) {
            m->at = v;
            return true;
        }
    }
    return false;
}

bool tk_markers_next(struct tk_markers *m)
{
    while (!next_inside(m)) {
        if (!tk_exists(m->member)) {
            m->at = m->own;
            m->own = TK_NO_VAL;
            return tk_exists(m->at);
        }
        if (is_marker(m->member))
            m->own = m->member;
        else if (!is_named(m->member, TK_STR(TK_INPUT_KEY))) {
            m->node = m->member.node + 1;
            m->end = tk_node(m->member)->next;
        }
        m->member = tk_after(m->part, m->member);
    }
    return true;
}

/* Returns true if a marker can be set. Typed options (fantasy) hold one thing: not if a part has
 * another there. */
static bool has_room(const struct tk_transcript *t, const struct tk_part *p)
{
    struct tk_val place;

    if (!tk_adapter_of(t->shape)->marker_type.p || tk_exists(marker_value(t, p)))
        return true;
    place = tk_path_get(tk_part_val(p, p->node), &t->shape->cache_marker);
    return !tk_exists(place) || tk_is(place, TK_NULL);
}

/* Returns true for texts that can't carry a marker: the provider refuses one on an empty text, and
 * adapters drop some blank texts. */
static bool is_unfit_text(const struct tk_transcript *t, const struct tk_part *p)
{
    struct tk_val text = tk_part_val(p, p->payload);

    return p->kind == TK_PART_TEXT &&
           (!tk_has_text(text) ||
            (tk_adapter_of(t->shape)->no_blank_marked && tk_text_is_blank(text)));
}

static bool may_carry(const struct tk_transcript *t, const struct tk_part *p)
{
    bool empty = is_unfit_text(t, p);

    return (p->flags & TK_PART_MARKABLE) && !empty && !tk_is_protected(t, p->message) &&
           has_room(t, p);
}

/*
 * Returns the nearest part from `from` backward that can take a marker; TK_NONE: the marker is
 * lost. Stops where the last search began, since its result is known.
 */
static uint32_t find_carrier(const struct tk_edits *e, uint32_t from)
{
    const struct tk_transcript *t = e->t;
    const struct tk_carrier *last = &tk_anthropic(e->j)->carrier;
    bool known = last->from != TK_NONE &&
                 (last->part == TK_NONE || !(t->parts[last->part].flags & TK_PART_REMOVED));

    for (uint32_t i = from; i != TK_NONE; i = tk_part_before(t, i)) {
        const struct tk_part *p = &t->parts[i];

        if (known && i == last->from)
            return last->part;

        /* A string can't carry a marker unless it becomes a list, so the marker is lost. */
        if ((p->flags & TK_PART_STRING) && !tk_is_protected(t, p->message))
            return TK_NONE;
        if (may_carry(t, p))
            return i;
    }
    return TK_NONE;
}

int tk_marker_give(struct tk_edits *e, uint32_t part, struct tk_str marker)
{
    struct tk_transcript *t = e->t;
    uint32_t from = tk_part_before(t, part), to = find_carrier(e, from);

    tk_anthropic(e->j)->carrier = (struct tk_carrier){from, to};
    if (to == TK_NONE || tk_exists(marker_value(t, &t->parts[to])))
        return 0;
    return tk_change_set(e, to, &t->shape->cache_marker, marker);
}

int tk_marker_hand_on(struct tk_edits *e, uint32_t part)
{
    struct tk_str marker = tk_marker_of(e->t, part);

    return marker.p ? tk_marker_give(e, part, marker) : 0;
}
