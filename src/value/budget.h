/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bound on the memory that one request makes. It is an allocator around another one: whatever is
 * allocated through it counts, blocks of arenas, tapes and streams alike, and what would exceed the
 * bound isn't there, as if memory had run out.
 *
 *     arena, tape, stream -> tk_budget_allocator() -> inner allocator
 *                            used <= limit
 */
#ifndef TK_VALUE_BUDGET_H
#define TK_VALUE_BUDGET_H

#include "value/arena.h"

/* Bytes after each of which tk_budget_watch()'s function is asked. */
#define TK_BUDGET_POLL ((int64_t)65536)

struct tk_budget {
    tk_allocator inner;
    bool (*late)(void *arg); /* NULL: nobody is asked */
    void *late_arg;
    int64_t unasked; /* bytes allocated since `late` was asked */
    int64_t used;    /* bytes allocated since tk_budget_begin(), less those freed since then */
    int64_t limit;   /* INT64_MAX: none */
    bool exceeded;   /* an allocation was refused since tk_budget_begin() */
    bool is_late;    /* `late` returned true: all allocations are refused until tk_budget_end() */
};

/* Makes a budget without a limit. */
void tk_budget_init(struct tk_budget *budget, tk_allocator inner);

/* Begins to count at `used`, memory that is there already; at most `limit` bytes may be in use. */
void tk_budget_begin(struct tk_budget *budget, size_t used, uint64_t limit);

/*
 * Has `late` asked after each TK_BUDGET_POLL bytes that are allocated, until tk_budget_end(). Work that makes memory is
 * so polled for by its size, however few elements it is about. Once `late` returns true nothing is allocated any more.
 */
void tk_budget_watch(struct tk_budget *budget, bool (*late)(void *arg), void *arg);

/* Lifts the limit and ends the watch; `exceeded` and `is_late` stay. */
void tk_budget_end(struct tk_budget *budget);

/* Returns the allocator that counts. `budget` must outlive what is allocated with it, and must not
 * be moved. */
tk_allocator tk_budget_allocator(struct tk_budget *budget);

#endif
