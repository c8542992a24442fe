/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/pairs/links.h"

#include <errno.h>

void tk_pairs_clear(struct tk_pairs *pairs)
{
    pairs->link_count = pairs->part_count = 0;
    pairs->scope_count = 1;
    pairs->end_count = pairs->repeated = pairs->key_count = 0;
    pairs->list_count = pairs->group_count = pairs->entry_count = 0;
    memset(pairs->matched, 0, sizeof(pairs->matched));
}

int tk_pairs_begin(struct tk_pairs *pairs, const struct tk_transcript *t, bool messages)
{
    uint32_t n = t->part_count + (messages ? t->message_count : 0);

    if (!pairs->arena)
        tk_map_init(&pairs->index, t->arena, t->hash_key);
    pairs->arena = t->arena;
    tk_pairs_clear(pairs);
    if (!tk_map_clear(&pairs->index, 0))
        return -ENOMEM;
    if (pairs->link_capacity < n) {
        pairs->links = tk_arena_alloc(t->arena, n * sizeof(*pairs->links));
        if (!pairs->links)
            return -ENOMEM;
        pairs->link_capacity = n;
    }
    /* Links begin with the match TK_MATCH_NONE and without anything else. */
    if (n > 0)
        memset(pairs->links, 0xff, n * sizeof(*pairs->links));
    pairs->link_count = n;
    pairs->part_count = t->part_count;
    return 0;
}

static const struct tk_link *link_at(const struct tk_pairs *pairs, uint32_t end, uint32_t count)
{
    static const struct tk_link none = {.partner = TK_NONE,
                                        .at = TK_NONE,
                                        .key = TK_NONE,
                                        .first = TK_NONE,
                                        .before = TK_NONE,
                                        .match = TK_MATCH_NONE};

    return end < count ? &pairs->links[end] : &none;
}

const struct tk_link *tk_part_link(const struct tk_pairs *pairs, uint32_t part)
{
    uint32_t n = pairs->link_count < pairs->part_count ? pairs->link_count : pairs->part_count;

    return link_at(pairs, part, n);
}

const struct tk_link *tk_message_link(const struct tk_pairs *pairs, uint32_t message)
{
    return message == TK_NONE ? link_at(pairs, 0, 0)
                              : link_at(pairs, tk_message_end(pairs, message), pairs->link_count);
}

/* ---- keys ---- */

int tk_expect_keys(struct tk_pairs *pairs, uint32_t count)
{
    return tk_map_clear(&pairs->index, count) ? 0 : -ENOMEM;
}

static const struct tk_pair_key nothing_known = {
    .first_at = TK_NONE,
    .scope = TK_NONE,
    .first = TK_NONE,
    .newest = TK_NONE,
    .result_scope = TK_NONE,
    .first_result = TK_NONE,
    .answered = TK_NONE,
    .lists = TK_NONE,
    .owner = TK_NONE,
    .suffix = 1,
};

uint32_t tk_put_key(struct tk_pairs *pairs, struct tk_str text)
{
    bool is_new;
    uint32_t *index = tk_map_put(&pairs->index, text, &is_new);

    if (!index || !is_new)
        return index ? *index : TK_NONE;
    if (!TK_GROW(pairs->arena, pairs->keys, pairs->key_count, pairs->key_capacity))
        return TK_NONE;
    *index = pairs->key_count;
    pairs->keys[*index] = nothing_known;
    return pairs->key_count++;
}

struct tk_pair_key *tk_get_key(const struct tk_pairs *pairs, struct tk_str text)
{
    const uint32_t *index = tk_map_get(&pairs->index, text);

    return index ? &pairs->keys[*index] : NULL;
}

/* ---- adding ---- */

/* Adds an end. *ret_key: the facts about its key; NULL: it has none. Returns 0 or -ENOMEM. */
static int add(struct tk_pairs *pairs, uint32_t end, struct tk_str text, enum tk_link_match match,
               struct tk_pair_key **ret_key)
{
    struct tk_link *link = &pairs->links[end];
    uint32_t key = text.p ? tk_put_key(pairs, text) : TK_NONE;

    *ret_key = NULL;
    if (text.p && key == TK_NONE)
        return -ENOMEM;
    *link = (struct tk_link){.partner = TK_NONE,
                             .key = key,
                             .scope = tk_scope(pairs),
                             .at = pairs->end_count++,
                             .first = TK_NONE,
                             .before = TK_NONE,
                             .match = (uint8_t)match};
    if (match != TK_MATCH_NONE)
        pairs->matched[match]++;
    if (key == TK_NONE)
        return 0;
    *ret_key = &pairs->keys[key];
    if ((*ret_key)->first_at > link->at)
        (*ret_key)->first_at = link->at;
    return 0;
}

int tk_add_call(struct tk_pairs *pairs, uint32_t call, struct tk_str key)
{
    struct tk_pair_key *known;
    int r = add(pairs, call, key, TK_MATCH_OPEN, &known);

    if (!known)
        return r;
    pairs->links[call].before = known->newest;
    pairs->repeated += known->newest != TK_NONE;
    known->newest = call;
    if (known->scope == tk_scope(pairs)) {
        pairs->links[call].first = known->first;
        return 0;
    }
    known->scope = tk_scope(pairs);
    known->first = call;
    return 0;
}

int tk_add_result(struct tk_pairs *pairs, uint32_t result, struct tk_str key)
{
    struct tk_pair_key *known;
    int r = add(pairs, result, key, TK_MATCH_STRAY, &known);

    if (!known)
        return r;
    if (known->result_scope == tk_scope(pairs)) {
        pairs->links[result].first = known->first_result;
        return 0;
    }
    known->result_scope = tk_scope(pairs);
    known->first_result = result;
    return 0;
}

int tk_add_other(struct tk_pairs *pairs, uint32_t part, struct tk_str key)
{
    struct tk_pair_key *known;

    return add(pairs, part, key, TK_MATCH_NONE, &known);
}

bool tk_scope_has_key(const struct tk_pairs *pairs, uint32_t end)
{
    uint32_t key = pairs->links[end].key;

    return key != TK_NONE && pairs->keys[key].scope == tk_scope(pairs);
}

/* ---- open calls ---- */

/* Returns the list of that number of a key; NULL: the key has none. */
static struct tk_open_list *list_of(const struct tk_pairs *pairs, uint32_t key, unsigned number)
{
    uint32_t i = pairs->keys[key].lists;

    while (i != TK_NONE && pairs->lists[i].number != number)
        i = pairs->lists[i].next;
    return i == TK_NONE ? NULL : &pairs->lists[i];
}

/* Adds a list to a key. NULL without memory. */
static struct tk_open_list *new_list(struct tk_pairs *pairs, uint32_t key, unsigned number)
{
    if (!TK_GROW(pairs->arena, pairs->lists, pairs->list_count, pairs->list_capacity))
        return NULL;
    pairs->lists[pairs->list_count] =
        (struct tk_open_list){number, TK_NONE, pairs->keys[key].lists};
    pairs->keys[key].lists = pairs->list_count;
    pairs->keys[key].has_lists |= 1u << number;
    return &pairs->lists[pairs->list_count++];
}

/* Returns the group that calls of the newest scope join; NULL without memory. */
static struct tk_open_group *newest_group(struct tk_pairs *pairs, struct tk_open_list *list)
{
    struct tk_open_group *group = list->newest == TK_NONE ? NULL : &pairs->groups[list->newest];

    if (group && group->scope == tk_scope(pairs) && group->first != TK_NONE)
        return group;
    if (!TK_GROW(pairs->arena, pairs->groups, pairs->group_count, pairs->group_capacity))
        return NULL;
    pairs->groups[pairs->group_count] =
        (struct tk_open_group){TK_NONE, TK_NONE, tk_scope(pairs), list->newest};
    list->newest = pairs->group_count;
    return &pairs->groups[pairs->group_count++];
}

int tk_open_call(struct tk_pairs *pairs, uint32_t call, unsigned number, uint32_t key)
{
    struct tk_open_list *list = list_of(pairs, key, number);
    struct tk_open_group *group;
    uint32_t entry = pairs->entry_count;

    if (!TK_GROW(pairs->arena, pairs->entries, pairs->entry_count, pairs->entry_capacity))
        return -ENOMEM;
    if (!list)
        list = new_list(pairs, key, number);
    group = list ? newest_group(pairs, list) : NULL;
    if (!group)
        return -ENOMEM;
    pairs->entries[pairs->entry_count++] = (struct tk_open_entry){call, group->last, TK_NONE};
    if (group->first == TK_NONE)
        group->first = entry;
    else
        pairs->entries[group->last].next = entry;
    group->last = entry;
    return 0;
}

static bool is_open(const struct tk_pairs *pairs, uint32_t entry)
{
    const struct tk_link *link = &pairs->links[pairs->entries[entry].call];

    return link->match == TK_MATCH_OPEN && !link->withdrawn;
}

/* Returns the first or last entry of a group that is open, and drops the others on the way; TK_NONE: none. */
static uint32_t end_of_group(const struct tk_pairs *pairs, struct tk_open_group *group, bool last)
{
    uint32_t *end = last ? &group->last : &group->first;

    while (*end != TK_NONE && !is_open(pairs, *end))
        *end = last ? pairs->entries[*end].prev : pairs->entries[*end].next;
    if (*end == TK_NONE)
        group->first = group->last = TK_NONE;
    return *end;
}

/* Returns the first or last open call of a list's newest group that has one. scope: only of this one;
 * TK_NONE: of any. before: only a call before this end; TK_NONE: any. Empty groups leave the list. */
static uint32_t find_open(struct tk_pairs *pairs, unsigned number, uint32_t key, bool last,
                          uint32_t scope, uint32_t before)
{
    struct tk_open_list *list = key == TK_NONE ? NULL : list_of(pairs, key, number);
    uint32_t *at = list ? &list->newest : NULL;

    while (at && *at != TK_NONE) {
        struct tk_open_group *group = &pairs->groups[*at];
        uint32_t entry;

        if (scope != TK_NONE && group->scope != scope)
            return TK_NONE;
        entry = end_of_group(pairs, group, last);
        if (entry == TK_NONE) {
            *at = group->older;
            continue;
        }
        if (before == TK_NONE ||
            pairs->links[pairs->entries[entry].call].at < pairs->links[before].at)
            return pairs->entries[entry].call;
        at =
            &group->older; /* happens once: only calls of the newest scope can come after the end */
    }
    return TK_NONE;
}

uint32_t tk_first_open_in_scope(struct tk_pairs *pairs, unsigned list, uint32_t key)
{
    return find_open(pairs, list, key, false, tk_scope(pairs), TK_NONE);
}

uint32_t tk_first_open_before(struct tk_pairs *pairs, unsigned list, uint32_t key, uint32_t end)
{
    return find_open(pairs, list, key, false, TK_NONE, end);
}

uint32_t tk_last_open(struct tk_pairs *pairs, unsigned list, uint32_t key)
{
    return find_open(pairs, list, key, true, TK_NONE, TK_NONE);
}

uint32_t tk_better_open(const struct tk_pairs *pairs, uint32_t a, uint32_t b)
{
    const struct tk_link *x, *y;

    if (a == TK_NONE || b == TK_NONE)
        return a == TK_NONE ? b : a;
    x = &pairs->links[a];
    y = &pairs->links[b];
    return x->scope > y->scope || (x->scope == y->scope && x->at < y->at) ? a : b;
}

/* ---- matches ---- */

static void rematch(struct tk_pairs *pairs, struct tk_link *link, enum tk_link_match match)
{
    if (link->match != TK_MATCH_NONE)
        pairs->matched[link->match]--;
    pairs->matched[match]++;
    link->match = (uint8_t)match;
}

void tk_pair_up(struct tk_pairs *pairs, uint32_t call, uint32_t result, enum tk_link_match match)
{
    struct tk_link *c = &pairs->links[call], *r = &pairs->links[result];

    c->partner = result;
    r->partner = call;
    rematch(pairs, c, match == TK_MATCH_CLAIM ? TK_MATCH_CLAIMED : match);
    rematch(pairs, r, match);
    if (match == TK_MATCH_PAIR && c->key != TK_NONE)
        pairs->keys[c->key].answered = call;
}

void tk_match_second(struct tk_pairs *pairs, uint32_t result)
{
    struct tk_link *link = &pairs->links[result];

    rematch(pairs, link, TK_MATCH_SECOND);
    link->partner = link->key == TK_NONE ? TK_NONE : pairs->keys[link->key].answered;
}
