/* SPDX-License-Identifier: Apache-2.0 */
/* Thinking is bound to what precedes it: `unbound` names what may be dead (PROTOCOL 5.2). */
#include "repair_properties.h"

/*
 * A history's blocks that thinking is bound to: those after the newest compaction, without
 * thinking.
 */
struct bound {
    const struct view *s;
    const struct view_part **blocks;
    uint32_t count;
    uint32_t first; /* the newest compaction block's number among the parts, or 0 */
};

static bool is_compaction(const struct trial *t, const struct view_part *p)
{
    struct tk_val dialect = in(t->params, "dialect");
    bool wire = !tk_exists(dialect) || tk_text_is(dialect, TK_STR("anthropic"));

    return wire && tk_is(p->value, TK_OBJECT) &&
           tk_text_is(in(p->value, "type"), TK_STR("compaction"));
}

static bool counts(const struct view_part *p)
{
    return p->kind != VIEW_THINKING && !p->invisible;
}

static struct bound bound_of(struct trial *t, const struct view *s)
{
    struct bound b = {s, tk_arena_alloc(&t->arena, s->part_count * sizeof(*b.blocks)), 0, 0};

    MUST(b.blocks);
    for (uint32_t i = 0; i < s->part_count; i++) {
        if (is_compaction(t, &s->parts[i]))
            b.count = 0, b.first = i;
        if (counts(&s->parts[i]))
            b.blocks[b.count++] = &s->parts[i];
    }
    return b;
}

/* Returns the text of a text part that has no member other than its text and type. */
static struct tk_val bare_text(struct tk_val part)
{
    struct tk_val holder = tk_exists(in(part, "data")) ? in(part, "data") : part;

    return tk_text_is(in(part, "type"), TK_STR("text")) ? in(holder, "text") : TK_NO_VAL;
}

static bool same_block(struct trial *t, const struct bound *a, uint32_t i, const struct bound *b,
                       uint32_t k)
{
    const struct view_part *x = a->blocks[i], *y = b->blocks[k];
    struct tk_val v = x->value, w = y->value;

    if (a->s->messages[x->message].role != b->s->messages[y->message].role)
        return false;
    if (tk_is(v, TK_STRING) != tk_is(w, TK_STRING)) {
        v = tk_is(v, TK_STRING) ? v : bare_text(v);
        w = tk_is(w, TK_STRING) ? w : bare_text(w);
        return tk_exists(v) && tk_exists(w) && same_value(v, w, &t->arena);
    }
    return same_unmarked(v, w, &t->arena);
}

/* The first block that differs; the count of both where none does. */
static uint32_t first_difference(struct trial *t, const struct bound *a, const struct bound *b)
{
    uint32_t at = 0;

    while (at < a->count && at < b->count && same_block(t, a, at, b, at))
        at++;
    return at;
}

/* True if the block has equal ones: then it can't be told which of them was removed or added. */
static bool has_like(struct trial *t, const struct bound *b, uint32_t at)
{
    for (uint32_t i = at; at > 0 && i < b->count; i++)
        if (same_block(t, b, at - 1, b, i))
            return true;
    return false;
}

static bool names(struct trial *t, struct tk_val told, const struct view_part *p)
{
    struct tk_val list = in(told, "thinking");

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct place at = place_of(t, v);

        if (at.message == p->message && at.part == p->index)
            return true;
    }
    return false;
}

/* Returns true if the request as sent had the signed block after as many blocks. Edits can leave the
 * first blocks as they were though thinking between them has fewer before it: of [a, thinking, b] a
 * goes, and b becomes equal to a. */
static bool was_after(struct trial *t, const struct bound *sent, const struct view_part *thinking,
                      uint32_t count)
{
    for (uint32_t i = sent->first, seen = 0; i < sent->s->part_count && seen <= count; i++) {
        const struct view_part *p = &sent->s->parts[i];

        if (seen == count && p->signed_ && same_unmarked(p->value, thinking->value, &t->arena))
            return true;
        seen += counts(p);
    }
    return false;
}

/*
 * Checks that signed blocks before the first difference count as alive; those after it may be dead.
 */
static struct tk_str thinking_is_named(struct trial *t, const struct bound *sent,
                                       const struct bound *left, uint32_t at, bool changed,
                                       bool ambiguous)
{
    struct tk_val told = in(result_of(&t->repair), "unbound");

    for (uint32_t i = 0, seen = 0; i < left->s->part_count; i++) {
        const struct view_part *p = &left->s->parts[i];
        bool before = i < left->first;

        if (p->signed_ && (before || ((!changed || seen < at) && was_after(t, sent, p, seen))) &&
            !ambiguous && names(t, told, p))
            return broken(t, "%.*s names %.*s, which is alive", SHOW(shown(told)),
                          SHOW(shown(p->value)));
        if (p->signed_ && !before && changed && seen > at && !names(t, told, p))
            return broken(t, "%.*s doesn't name %.*s", SHOW(shown(told)), SHOW(shown(p->value)));
        seen += !before && counts(p);
    }
    return HOLDS;
}

/*
 * True if the message that `from` names contains the first difference, or is between its
 * neighbours.
 */
static bool is_first_change(const struct bound *left, uint32_t at, int64_t message)
{
    int64_t low = at > 0 && left->count > 0 ? left->blocks[at - 1]->message : 0;

    return message >= low && (at >= left->count || message <= left->blocks[at]->message);
}

/*
 * True if an edit moved a part: it may be on another side of thinking now, though its order among
 * the other parts is unchanged.
 */
static bool has_moved(struct trial *t)
{
    return number(in(in(result_of(&t->repair), "stats"), "moved")) != 0;
}

/* A summary that the header doesn't allow begins nothing any more, once it went or became the
 * user's text: bound_of() would begin at another place in the input than in the outcome. */
static bool has_lost_summary(struct trial *t)
{
    return has_any_code(in(result_of(&t->repair), "edits"), summary_codes);
}

/* Counts the members of messages, besides content, that thinking is bound to. */
static uint32_t count_directives(const struct view *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->count; i++)
        n += (uint32_t)tk_exists(in(s->messages[i].value, "output_config")) +
             (uint32_t)tk_exists(in(s->messages[i].value, "clear_at"));
    return n;
}

static struct tk_str unbound_is_told(struct trial *t)
{
    struct tk_val told = in(result_of(&t->repair), "unbound");
    struct bound sent, left;
    struct tk_str why;
    uint32_t at;
    bool changed, ambiguous;

    if (!t->repaired || strcmp(policy_word(t, "merge_adjacent"), "never") || has_moved(t) ||
        has_lost_summary(t) || count_directives(&t->sent) != count_directives(&t->left))
        return HOLDS;
    sent = bound_of(t, &t->sent);
    left = bound_of(t, &t->left);
    at = first_difference(t, &sent, &left);
    changed = at < sent.count || at < left.count;
    if (!changed && tk_exists(told))
        return broken(t, "nothing changed, but %.*s", SHOW(shown(told)));
    ambiguous = has_like(t, &sent, at) || has_like(t, &left, at);
    why = thinking_is_named(t, &sent, &left, at, changed, ambiguous);
    if (!why.p && tk_exists(told) && !ambiguous &&
        !is_first_change(&left, at, place_of(t, in(told, "from")).message))
        why = broken(t, "%.*s, but block %u differs", SHOW(shown(told)), at);
    return why;
}

const struct property properties_of_binding[] = {
    {"unbound_is_told", ANTHROPIC, unbound_is_told},
    {NULL, EVERYONE, NULL},
};
