/* SPDX-License-Identifier: Apache-2.0 */
/* The choice of ranges that stay, held against every possible choice of a few. */
#include "../documents.h"
#include "../tap.h"
#include "value/ascending.h"

enum {
    MOST = 10,
    ROUNDS = 4000,
};

/* Returns the bytes of the ranges that stay; SIZE_MAX if two of them can't both stay. */
static size_t bytes_that_stay(const struct tk_range *ranges, size_t n)
{
    size_t bytes = 0, end = 0;

    for (size_t i = 0; i < n; i++) {
        if (!ranges[i].stays)
            continue;
        if (ranges[i].from < end)
            return SIZE_MAX;
        end = ranges[i].from + ranges[i].n;
        bytes += ranges[i].n;
    }
    return bytes;
}

/* Returns the most bytes of all choices. */
static size_t most_bytes(const struct tk_range *ranges, size_t n)
{
    size_t most = 0;

    for (unsigned choice = 0; choice < 1u << n; choice++) {
        struct tk_range tried[MOST];
        size_t bytes;

        for (size_t i = 0; i < n; i++) {
            tried[i] = ranges[i];
            tried[i].stays = (choice >> i & 1) != 0;
        }
        bytes = bytes_that_stay(tried, n);
        if (bytes != SIZE_MAX && bytes > most)
            most = bytes;
    }
    return most;
}

static void test_most_bytes_stay(void)
{
    uint64_t seed = 7;

    for (int round = 0; round < ROUNDS; round++) {
        struct tk_range ranges[MOST];
        struct tk_arena arena;
        size_t n = random_below(&seed, MOST + 1);

        tk_arena_init(&arena, tk_libc_allocator);
        for (size_t i = 0; i < n; i++)
            ranges[i] =
                (struct tk_range){random_below(&seed, 30), 1 + random_below(&seed, 8), false};
        tk_choose_ascending(ranges, n, &arena);
        CU_ASSERT_EQUAL_FATAL(bytes_that_stay(ranges, n), most_bytes(ranges, n));
        tk_arena_done(&arena);
    }
}

static void test_all_stay_in_order(void)
{
    struct tk_range ranges[] = {{0, 3, false}, {3, 1, false}, {10, 5, false}};
    struct memory memory = {0};
    struct tk_arena arena;

    tk_arena_init(&arena, memory_allocator(&memory));
    tk_choose_ascending(ranges, 3, &arena);
    CU_ASSERT_EQUAL(bytes_that_stay(ranges, 3), 9);
    CU_ASSERT_EQUAL(memory.calls, 0); /* the usual case takes no memory */
    tk_arena_done(&arena);
}

static void test_none_stays_without_memory(void)
{
    struct tk_range ranges[] = {{10, 3, true}, {3, 1, true}};
    struct memory memory = {.fail_at = 1};
    struct tk_arena arena;

    tk_arena_init(&arena, memory_allocator(&memory));
    tk_choose_ascending(ranges, 2, &arena);
    CU_ASSERT_EQUAL(bytes_that_stay(ranges, 2), 0);
    CU_ASSERT(tk_arena_failed(&arena));
    tk_arena_done(&arena);
}

TAP_MAIN("ascending", TAP_TEST(test_most_bytes_stay), TAP_TEST(test_all_stay_in_order),
         TAP_TEST(test_none_stays_without_memory))
