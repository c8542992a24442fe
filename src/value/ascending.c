/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For each range: the most bytes of a choice that ends with it. That is its own size and the most of
 * the ranges before it in the list that end where it begins, or earlier. A Fenwick tree over all
 * ends, in ascending order, answers that question in log n.
 */
#include "value/ascending.h"

#include <stdlib.h>

#define NONE SIZE_MAX

struct choice {
    size_t bytes;    /* the most bytes of a choice that ends with this range */
    size_t previous; /* the range before it in that choice, or NONE */
};

struct search {
    const struct tk_range *ranges;
    struct choice *choices; /* by range */
    size_t *ends;           /* ascending */
    size_t *tree;           /* Fenwick tree by place in `ends`: the best range, or NONE */
    size_t n;
};

static size_t end_of(const struct tk_range *range)
{
    return range->from + range->n;
}

static bool all_ascend(const struct tk_range *ranges, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (ranges[i].from < end_of(&ranges[i - 1]))
            return false;
    return true;
}

static int compare(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Returns how many ends are at most `limit`. */
static size_t ends_until(const struct search *s, size_t limit)
{
    size_t low = 0, high = s->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->ends[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t better(const struct search *s, size_t a, size_t b)
{
    if (a == NONE || b == NONE)
        return a == NONE ? b : a;
    return s->choices[b].bytes > s->choices[a].bytes ? b : a;
}

/* Returns the best range that is in the tree and ends at `limit` or earlier, or NONE. */
static size_t best_until(const struct search *s, size_t limit)
{
    size_t best = NONE;

    for (size_t i = ends_until(s, limit); i > 0; i &= i - 1)
        best = better(s, best, s->tree[i - 1]);
    return best;
}

static void put_in_tree(struct search *s, size_t range)
{
    for (size_t i = ends_until(s, end_of(&s->ranges[range])); i <= s->n; i += i & (~i + 1))
        s->tree[i - 1] = better(s, s->tree[i - 1], range);
}

/* Returns the last range of the best choice. */
static size_t search(struct search *s)
{
    size_t best = NONE;

    for (size_t i = 0; i < s->n; i++) {
        s->ends[i] = end_of(&s->ranges[i]);
        s->tree[i] = NONE;
    }
    qsort(s->ends, s->n, sizeof(*s->ends), compare);
    for (size_t i = 0; i < s->n; i++) {
        size_t previous = best_until(s, s->ranges[i].from);

        s->choices[i].previous = previous;
        s->choices[i].bytes = s->ranges[i].n + (previous == NONE ? 0 : s->choices[previous].bytes);
        put_in_tree(s, i);
        best = better(s, best, i);
    }
    return best;
}

void tk_choose_ascending(struct tk_range *ranges, size_t n, struct tk_arena *arena)
{
    bool all = all_ascend(ranges, n);
    struct search s = {.ranges = ranges, .n = n};

    for (size_t i = 0; i < n; i++)
        ranges[i].stays = all;
    if (all)
        return;
    s.choices = tk_arena_zalloc(arena, n, sizeof(*s.choices));
    s.ends = tk_arena_zalloc(arena, n, sizeof(*s.ends));
    s.tree = tk_arena_zalloc(arena, n, sizeof(*s.tree));
    if (!s.choices || !s.ends || !s.tree)
        return;
    for (size_t i = search(&s); i != NONE; i = s.choices[i].previous)
        ranges[i].stays = true;
}
