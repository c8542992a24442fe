/* SPDX-License-Identifier: Apache-2.0 */
/* Puts U+FFFD in the place of lone surrogates (CATALOGUE 3.3). */
#include <errno.h>

#include "engine/protect.h"
#include "engine/surrogates/surrogates.h"
#include "value/pointer.h"
#include "value/splice.h"

/* Returns a copy of a string's raw bytes with U+FFFD for each lone surrogate. Both escapes have the
 * same length. */
static struct tk_str mended(struct tk_edits *e, struct tk_str raw)
{
    struct tk_str copy = tk_arena_concat(e->t->arena, &raw, 1), lone;

    for (struct tk_str rest = raw; copy.p && (lone = tk_lone_surrogate(rest)).p;) {
        memcpy((char *)copy.p + (lone.p - raw.p), "\\ufffd", lone.n);
        rest.n -= (size_t)(lone.p - rest.p) + lone.n;
        rest.p = lone.p + lone.n;
    }
    return copy;
}

static bool key_is_lone(struct tk_val v)
{
    return tk_lone_surrogate(tk_raw_key(v)).p != NULL;
}

static bool string_is_lone(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_lone_surrogate(tk_raw(v)).p;
}

static struct tk_cut cut_of_key(struct tk_edits *e, struct tk_val v)
{
    struct tk_str raw = tk_raw_key(v);
    size_t from = tk_node(v)->key;

    return (struct tk_cut){from, from + raw.n, mended(e, raw)};
}

/* ---- parts ---- */

/* A value to mend. Its nodes `id` and `name` stay as they are; TK_NO_NODE: none does. */
struct value {
    struct tk_val v;
    uint32_t id, name;
};

/* Returns the value's next node from `node` on whose string or key has a lone surrogate, or
 * TK_NO_VAL. The value's own key doesn't count. */
static struct tk_val next_lone(const struct value *x, uint32_t node)
{
    uint32_t end = tk_node(x->v)->next, found = tk_find_surrogate(x->v.doc, node, end);

    while (found < end && (found == x->id || found == x->name))
        found = tk_find_surrogate(x->v.doc, found + 1, end);
    return found < end ? (struct tk_val){x->v.doc, found} : TK_NO_VAL;
}

static uint32_t count_lone(const struct value *x, uint32_t *ret_keys)
{
    uint32_t n = 0;

    *ret_keys = 0;
    for (struct tk_val v = next_lone(x, x->v.node); tk_exists(v); v = next_lone(x, v.node + 1), n++)
        *ret_keys += v.node != x->v.node && key_is_lone(v);
    return n;
}

/* Returns the value's bytes without lone surrogates; `.p == NULL` if out of memory. */
static struct tk_str mend_value(struct tk_edits *e, const struct value *x)
{
    uint32_t keys, count = count_lone(x, &keys);
    struct tk_cut *cuts = tk_arena_alloc(e->t->arena, ((size_t)count + keys) * sizeof(*cuts));
    size_t n = 0;

    if (!cuts)
        return (struct tk_str){0};
    for (struct tk_val v = next_lone(x, x->v.node); tk_exists(v); v = next_lone(x, v.node + 1)) {
        if (v.node != x->v.node && key_is_lone(v))
            cuts[n++] = cut_of_key(e, v);
        if (string_is_lone(v))
            cuts[n++] = tk_cut_replace(v, mended(e, tk_span(v)));
    }
    return tk_splice_cuts(e->t->arena, x->v, cuts, n);
}

/* Rewrites strings one by one, so that the patch names each of them. Only for values whose keys are
 * in order. */
static int mend_strings(struct tk_edits *e, uint32_t part, const struct value *x, uint32_t count)
{
    struct tk_spot *spots;
    uint32_t n = 0;

    if (e->t->parts[part].flags & TK_PART_STRING)
        return tk_change_text(e, part, mended(e, tk_span(x->v)));
    spots = tk_arena_alloc(e->t->arena, count * sizeof(*spots));
    if (!spots)
        return -ENOMEM;
    for (struct tk_val v = next_lone(x, x->v.node); tk_exists(v); v = next_lone(x, v.node + 1))
        spots[n++] = (struct tk_spot){v, mended(e, tk_span(v))};
    return tk_change_spots(e, part, spots, n);
}

/* Notes an id or a name of a protected part, which may not be mended. */
static int hold(struct tk_plan *p, const struct tk_part *part, uint32_t node)
{
    struct tk_val v = tk_part_val(part, node);
    struct tk_str text = tk_shared_text(p->j->t, v);
    bool is_new;

    if (!string_is_lone(v))
        return 0;
    return text.p && tk_map_put(&p->held, text, &is_new) ? 0 : -ENOMEM;
}

static int note_held(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    tk_map_init(&p->held, t->arena, t->hash_key);
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; tk_is_protected(t, m) && i != TK_NONE && r == 0;
             i = t->parts[i].next) {
            r = hold(p, &t->parts[i], t->parts[i].id);
            if (r == 0)
                r = hold(p, &t->parts[i], t->parts[i].name);
        }
    p->knows_held = r == 0;
    return r;
}

/* Returns the node if a part of the protected turn has the same id or name: a pair is edited whole or not
 * at all (RULES.md section 3). TK_NO_NODE: none has it. */
static uint32_t held(const struct tk_plan *p, const struct tk_part *part, uint32_t node)
{
    struct tk_val v = tk_part_val(part, node);

    return string_is_lone(v) && tk_map_get(&p->held, tk_shared_text(p->j->t, v)) ? node
                                                                                 : TK_NO_NODE;
}

static int mend_part(struct tk_plan *p, uint32_t part, uint16_t code)
{
    const struct tk_part *at = &p->j->t->parts[part];
    struct value x = {.v = tk_part_val(at, at->node)};
    struct tk_str encoded = {0};
    uint32_t keys, count;
    int r = p->knows_held ? 0 : note_held(p);

    if (r < 0)
        return r;
    x.id = held(p, at, at->id);
    x.name = held(p, at, at->name);
    count = count_lone(&x, &keys);
    if (keys > 0) {
        encoded = mend_value(p->e, &x);
        if (!encoded.p)
            return -ENOMEM;
        /* Keys that differed only in their lone surrogates are the same key now, which can't be
         * sent either. */
        if (!tk_is_readable(p->e, encoded))
            return 0;
    }
    if (count == 0)
        return 0;
    r = tk_edit_rewritten(p->e, part, code);
    if (r == 0 && string_is_lone(tk_part_val(at, at->id)))
        r = tk_keep_sent_id(p->e, part);
    if (r < 0)
        return r;
    return keys > 0 ? tk_change_all(p->e, part, encoded) : mend_strings(p->e, part, &x, count);
}

/* ---- a message's own members ---- */

/* Returns the pointer to a member with U+FFFD in its key. In UTF-8 both take three bytes. */
static struct tk_str pointer_to_mended(struct tk_edits *e, struct tk_val member)
{
    struct tk_str key = tk_key(member, e->t->arena);
    struct tk_str copy = tk_arena_concat(e->t->arena, &key, 1);
    char *at = (char *)copy.p;

    for (size_t i = 0; copy.p && i + 2 < copy.n; i++)
        if ((uint8_t)at[i] == 0xED && (uint8_t)at[i + 1] >= 0xA0)
            memcpy(at + i, "\xEF\xBF\xBD", 3);
    return copy.p ? tk_pointer_add(TK_STR(""), copy, e->t->arena) : copy;
}

static struct tk_str pointer_to(struct tk_edits *e, struct tk_val member)
{
    return tk_pointer_add(TK_STR(""), tk_key(member, e->t->arena), e->t->arena);
}

/*
 * Notes for the patch what happened to a member: its new value, under its new key if the key changed.
 */
static int note_member(struct tk_edits *e, uint32_t message, struct tk_val member,
                       struct tk_str value)
{
    int r;

    if (!key_is_lone(member))
        return tk_message_change_note(e, message, pointer_to(e, member), value, true);
    r = tk_message_change_note(e, message, pointer_to(e, member), (struct tk_str){0}, true);
    return r < 0 ? r
                 : tk_message_change_note(e, message, pointer_to_mended(e, member), value, false);
}

/* True for a member to rewrite here: lists of parts, and content that isn't one, are left to mend_part()
 * and to other fixes. */
static bool is_due(const struct tk_edits *e, uint32_t message, struct tk_val member)
{
    return tk_member_has_surrogate(member) && !tk_key_is(member, tk_parts_name(e->t->shape)) &&
           member.node != e->t->messages[message].calls;
}

static struct tk_str mend_member(struct tk_edits *e, struct tk_val member)
{
    return mend_value(e, &(struct value){member, TK_NO_NODE, TK_NO_NODE});
}

static int mend_message(struct tk_edits *e, uint32_t message, uint16_t code)
{
    struct tk_val whole = {e->t->messages[message].doc, e->t->messages[message].node};
    struct tk_cut *cuts = tk_arena_alloc(e->t->arena, 2 * (size_t)tk_count(whole) * sizeof(*cuts));
    struct tk_str encoded;
    size_t n = 0;
    int r;

    if (!cuts)
        return -ENOMEM;
    for (struct tk_val v = tk_first(whole); tk_exists(v); v = tk_after(whole, v)) {
        if (!is_due(e, message, v))
            continue;
        if (key_is_lone(v))
            cuts[n++] = cut_of_key(e, v);
        cuts[n++] = tk_cut_replace(v, mend_member(e, v));
    }
    encoded = tk_splice_cuts(e->t->arena, whole, cuts, n);
    if (!encoded.p)
        return -ENOMEM;
    if (n == 0 || !tk_is_readable(e, encoded))
        return 0;
    r = tk_edit_message(e, message, code, TK_ACTION_REWRITE);
    for (struct tk_val v = tk_first(whole); tk_exists(v) && r == 0; v = tk_after(whole, v))
        if (is_due(e, message, v))
            r = note_member(e, message, v, mend_member(e, v));
    return r < 0 ? r : tk_change_message(e, message, encoded);
}

struct tk_decision tk_want_no_surrogate(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)p;
    (void)policy;
    return f->site.entry == TK_NONE ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

int tk_fix_surrogates(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return f->site.part == TK_NONE ? mend_message(p->e, f->site.entry, f->code)
                                   : mend_part(p, f->site.part, f->code);
}
