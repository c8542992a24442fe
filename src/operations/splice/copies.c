/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells if an appended assistant message repeats the turn. Blocks are compared by their digests
 * (part C), so that key order, spelling and cache markers make no difference.
 *
 * A message whose blocks are a subsequence of the turn's is a copy, too. Its blocks are looked up
 * in their order: a binary search in the ascending list of the positions where the turn has that
 * block finds the first one after the block before. So each such message costs time for its own
 * length, not for the length of the turn.
 */
#include "operations/splice/splice_inside.h"

#include "shapes/shape.h"

#include <errno.h>

static struct tk_str key_of(const struct tk_digest *digest)
{
    return (struct tk_str){(const char *)digest->bytes, sizeof(digest->bytes)};
}

/* Returns *ret_count digests in the arena, one for each block; NULL if out of memory. */
static struct tk_digest *digests_of(struct tk_splice_state *s, struct tk_val content,
                                    uint32_t *ret_count)
{
    bool list = tk_is(content, TK_ARRAY);
    uint32_t n = list ? tk_count(content) : !tk_splice_no_blocks(content), i = 0;
    struct tk_digest *digests = tk_arena_alloc(s->in->arena, n * sizeof(*digests));

    *ret_count = n;
    if (!digests)
        return NULL;
    if (!list && n > 0)
        digests[0] = tk_splice_rules(s)->digest(content, s->in->arena);
    for (struct tk_val v = list ? tk_first(content) : TK_NO_VAL; tk_exists(v);
         v = tk_after(content, v))
        digests[i++] = tk_splice_rules(s)->digest(v, s->in->arena);
    return tk_arena_failed(s->in->arena) ? NULL : digests;
}

/* Lists the positions of each class in ascending order: first counts them, then fills the lists. */
static int list_positions(struct tk_splice_state *s, const uint32_t *class_of)
{
    struct tk_splice_copies *c = &s->copies;
    uint32_t classes = c->classes.count, *next;

    c->starts = tk_arena_zalloc(s->in->arena, classes + 1u, sizeof(*c->starts));
    c->positions = tk_arena_alloc(s->in->arena, c->count * sizeof(*c->positions));
    next = tk_arena_zalloc(s->in->arena, classes + 1u, sizeof(*next));
    if (!c->starts || !c->positions || !next)
        return -ENOMEM;
    for (uint32_t i = 0; i < c->count; i++)
        c->starts[class_of[i] + 1]++;
    for (uint32_t i = 0; i < classes; i++)
        c->starts[i + 1] += c->starts[i];
    for (uint32_t i = 0; i < c->count; i++)
        c->positions[c->starts[class_of[i]] + next[class_of[i]]++] = i;
    return 0;
}

static int know_turn(struct tk_splice_state *s)
{
    struct tk_splice_copies *c = &s->copies;
    uint32_t *class_of;

    c->digests = digests_of(s, s->turn.content, &c->count);
    class_of = tk_arena_alloc(s->in->arena, c->count * sizeof(*class_of));
    if (!c->digests || !class_of)
        return -ENOMEM;
    tk_map_init(&c->classes, s->in->arena, s->in->hash_key);
    for (uint32_t i = 0; i < c->count; i++) {
        bool is_new;
        uint32_t *slot = tk_map_put(&c->classes, key_of(&c->digests[i]), &is_new);

        if (!slot)
            return -ENOMEM;
        if (is_new)
            *slot = c->classes.count - 1;
        class_of[i] = *slot;
    }
    c->made = true;
    return list_positions(s, class_of);
}

/* Returns true if the content has a call of the turn. Calls of any kind count: no two calls of a
 * history have one id. */
static bool shares_call(struct tk_splice_state *s, struct tk_val content)
{
    if (!tk_is(content, TK_ARRAY))
        return false;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v)) {
        struct tk_part p = {.doc = v.doc, .node = v.node, .id = TK_NO_NODE};

        tk_splice_shape(s)->read_part(&p, NULL, s->in->arena);
        if (p.kind == TK_PART_CALL && tk_has_text(tk_part_val(&p, p.id)) &&
            tk_map_get(&s->turn_calls, tk_text(tk_part_val(&p, p.id), s->in->arena)))
            return true;
    }
    return false;
}

/* Returns the first position of a class at or after `from`; TK_NONE if there is none. */
static uint32_t place_from(const struct tk_splice_copies *c, uint32_t class, uint32_t from)
{
    uint32_t low = c->starts[class], high = c->starts[class + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (c->positions[middle] < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->starts[class + 1] ? c->positions[low] : TK_NONE;
}

static bool is_subsequence(const struct tk_splice_copies *c, const struct tk_digest *digests,
                           uint32_t n)
{
    uint32_t from = 0;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *class = tk_map_get(&c->classes, key_of(&digests[i]));
        uint32_t place = class ? place_from(c, *class, from) : TK_NONE;

        if (place == TK_NONE)
            return false;
        from = place + 1;
    }
    return true;
}

int tk_splice_copy(struct tk_splice_state *s, struct tk_val content, enum tk_copy *ret)
{
    struct tk_splice_copies *c = &s->copies;
    const struct tk_digest *digests;
    uint32_t n;
    int r = c->made ? 0 : know_turn(s);

    if (r < 0)
        return r;
    digests = digests_of(s, content, &n);
    if (!digests)
        return -ENOMEM;
    if (n == c->count && (n == 0 || memcmp(digests, c->digests, n * sizeof(*digests)) == 0))
        *ret = TK_COPY_EQUAL;
    else if (shares_call(s, content) || is_subsequence(c, digests, n))
        *ret = TK_COPY_PART;
    else
        *ret = TK_COPY_NONE;
    return 0;
}
