/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tells if an appended assistant message repeats the turn. Parts are compared by their digests
 * (part C), so that key order, spelling and cache markers make no difference; where results are messages,
 * whole messages and items are compared.
 *
 * A message whose parts are a subsequence of the turn's is a copy, too. Its parts are looked up
 * in their order: a binary search in the ascending list of the positions where the turn has that
 * part finds the first one after the part before. So each such message costs time for its own
 * length, not for the length of the turn.
 */
#include "operations/splice/splice_inside.h"

#include "value/canonical.h"

#include <errno.h>

static struct tk_str key_of(const struct tk_digest *digest)
{
    return (struct tk_str){(const char *)digest->bytes, sizeof(digest->bytes)};
}

/* ---- digests ---- */

static bool is_own_null(struct tk_val member, bool outermost)
{
    return outermost && tk_is(member, TK_NULL);
}

static struct tk_digest digest_of(const struct tk_splice_state *s, struct tk_val v)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);
    const struct tk_canon_rules but = {.loses = is_own_null, .without = rules->unlike};
    struct tk_hasher hasher;
    struct tk_canon canon = {tk_hash_put, &hasher, s->in->arena};

    if (rules->digest)
        return rules->digest(v, s->in->arena);
    tk_hash_begin(&hasher, TK_STR("part"));
    tk_canon_by(&canon, v, &but);
    return tk_hash_end(&hasher);
}

static struct tk_digest *digest_messages(struct tk_splice_state *s, const struct tk_transcript *t,
                                         uint32_t from, uint32_t n)
{
    struct tk_digest *digests = tk_arena_alloc(s->in->arena, n * sizeof(*digests));

    for (uint32_t i = 0; digests && i < n; i++) {
        struct tk_val v = tk_splice_cleaned(s, t, from + i);

        if (!tk_exists(v))
            return NULL;
        digests[i] = digest_of(s, v);
    }
    return digests;
}

static struct tk_digest *digest_parts(struct tk_splice_state *s, const struct tk_transcript *t,
                                      uint32_t from, uint32_t n)
{
    struct tk_digest *digests = tk_arena_alloc(s->in->arena, n * sizeof(*digests));

    for (uint32_t i = 0; digests && i < n; i++)
        digests[i] = digest_of(s, tk_splice_val(&t->parts[from + i]));
    return digests;
}

/* Returns *ret_count digests in the arena of what `count` neighbouring messages consist of; NULL if
 * out of memory. */
static struct tk_digest *digests_of(struct tk_splice_state *s, const struct tk_transcript *t,
                                    uint32_t message, uint32_t count, uint32_t *ret_count)
{
    struct tk_digest *digests;
    uint32_t from = 0, to = 0;

    *ret_count = count;
    if (tk_splice_has(s, TK_SPLICE_RESULTS_ARE_MESSAGES)) {
        digests = digest_messages(s, t, message, count);
    } else {
        if (count > 0) {
            from = t->messages[message].input_first;
            to = message + count < t->message_count ? t->messages[message + count].input_first
                                                    : t->part_count;
        }
        *ret_count = to - from;
        digests = digest_parts(s, t, from, to - from);
    }
    return tk_arena_failed(s->in->arena) ? NULL : digests;
}

/* Returns the id under which the provider knows an item. */
static struct tk_val own_id(const struct tk_transcript *t, uint32_t item)
{
    const struct tk_message *m = &t->messages[item];

    return m->flags & TK_MESSAGE_WHOLE ? tk_part_val(&t->parts[m->first], t->parts[m->first].own_id)
                                       : (struct tk_val){m->doc, m->own_id};
}

/* ---- the turn ---- */

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

/* Notes the ids under which the provider knows the items of the turn. */
static int note_own_ids(struct tk_splice_state *s)
{
    const struct tk_transcript *t = &s->turn.t;
    bool is_new;

    tk_map_init(&s->copies.own_ids, s->in->arena, s->in->hash_key);
    for (uint32_t m = 0; m < t->message_count; m++) {
        struct tk_val id = own_id(t, m);

        if (tk_has_text(id) && !tk_map_put(&s->copies.own_ids, tk_text(id, s->in->arena), &is_new))
            return -ENOMEM;
    }
    return 0;
}

static int know_turn(struct tk_splice_state *s)
{
    struct tk_splice_copies *c = &s->copies;
    uint32_t *class_of;

    if (tk_splice_has(s, TK_SPLICE_ITEMS) && note_own_ids(s) < 0)
        return -ENOMEM;
    c->digests = digests_of(s, &s->turn.t, 0, s->turn.t.message_count, &c->count);
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

/* Returns true if the message has a call of the turn, or is an item of it. Calls of any kind count: no
 * two calls of a history have one id. */
static bool shares_id(struct tk_splice_state *s, uint32_t index)
{
    const struct tk_transcript *t = &s->t;
    struct tk_val id;

    for (uint32_t i = t->messages[index].first; i != TK_NONE; i = t->parts[i].next) {
        id = t->parts[i].kind == TK_PART_CALL ? tk_splice_key(&t->parts[i]) : TK_NO_VAL;
        if (tk_has_text(id) && tk_map_get(&s->turn_calls, tk_text(id, s->in->arena)))
            return true;
    }
    id = tk_splice_has(s, TK_SPLICE_ITEMS) ? own_id(t, index) : TK_NO_VAL;
    return tk_has_text(id) && tk_map_get(&s->copies.own_ids, tk_text(id, s->in->arena));
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

/* Tells what n parts are of the turn. */
static enum tk_copy judge(struct tk_splice_state *s, uint32_t index,
                          const struct tk_digest *digests, uint32_t n)
{
    const struct tk_splice_copies *c = &s->copies;
    bool is_part = n > 0 && is_subsequence(c, digests, n);

    if (n > 0 && n == c->count && memcmp(digests, c->digests, n * sizeof(*digests)) == 0)
        return TK_COPY_EQUAL;
    if (is_part && tk_splice_has(s, TK_SPLICE_ITEMS))
        return TK_COPY_EQUAL;
    return is_part || shares_id(s, index) ? TK_COPY_PART : TK_COPY_NONE;
}

int tk_splice_copy(struct tk_splice_state *s, uint32_t index, enum tk_copy *ret)
{
    const struct tk_digest *digests;
    uint32_t n;
    int r = s->copies.made ? 0 : know_turn(s);

    if (r < 0)
        return r;
    digests = digests_of(s, &s->t, index, 1, &n);
    if (!digests)
        return -ENOMEM;
    *ret = judge(s, index, digests, n);
    return 0;
}

void tk_splice_remove_copy(struct tk_splice_state *s, uint32_t index, enum tk_copy copy)
{
    s->appended[index].removed = true;
    tk_splice_note(s, copy == TK_COPY_EQUAL ? TK_SPLICE_NOTE_ASSISTANT_COPY_DROPPED
                                            : TK_SPLICE_NOTE_ASSISTANT_COPY_REPLACED);
}
