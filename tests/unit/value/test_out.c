/* SPDX-License-Identifier: Apache-2.0 */
#include "../memory.h"
#include "../tap.h"
#include "value/out.h"

#include <stdint.h>
#include <stdlib.h>

static void test_what_is_put_follows_itself(void)
{
    struct tk_arena arena;
    struct tk_out out;
    struct tk_str joined;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    CU_ASSERT_EQUAL(tk_out_join(&out).n, 0);
    for (int i = 0; i < 10000; i++)
        tk_out_put(&out, "0123456789", (size_t)(i % 11));
    CU_ASSERT(out.count < 20); /* large pieces, not thousands of small ones */
    joined = tk_out_join(&out);
    CU_ASSERT_EQUAL(joined.n, out.size);
    {
        const char *p = joined.p;

        for (int i = 0; i < 10000; p += i % 11, i++)
            if (memcmp(p, "0123456789", (size_t)(i % 11)) != 0)
                CU_FAIL_FATAL("joined bytes differ");
    }
    tk_arena_done(&arena);
}

/* A repair makes a text for each of its edits: a short one takes little more than its bytes. */
static void test_short_ones_take_little(void)
{
    struct memory memory = {0};
    struct tk_arena arena;

    tk_arena_init(&arena, memory_allocator(&memory));
    for (int i = 0; i < 10000; i++) {
        struct tk_out out;

        tk_out_init(&out, &arena);
        for (int k = 0; k < 5; k++)
            tk_out_put(&out, "0123456789", 10);
        CU_ASSERT_EQUAL(out.count, 1);
        CU_ASSERT_EQUAL(tk_out_join(&out).n, 50);
    }
    CU_ASSERT(memory.peak < 10000 * (50 + 100));
    tk_arena_done(&arena);
}

/* It grows in its place while nothing follows it in the arena, and elsewhere after that. */
static void test_growth_with_others_between(void)
{
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t others = 0; others < 2; others++) {
        struct tk_out out;
        struct tk_str joined;
        char *other = NULL;

        tk_out_init(&out, &arena);
        for (int i = 0; i < 500; i++) {
            tk_out_put(&out, "0123456", 7);
            if (others) {
                other = tk_arena_alloc(&arena, 13);
                memset(other, 'x', 13);
            }
        }
        CU_ASSERT(others || out.count < 3);
        CU_ASSERT(out.count < 8);
        joined = tk_out_join(&out);
        CU_ASSERT_EQUAL_FATAL(joined.n, 3500);
        for (size_t i = 0; i < joined.n; i++)
            if (joined.p[i] != (char)('0' + i % 7))
                CU_FAIL_FATAL("joined bytes differ");
    }
    tk_arena_done(&arena);
}

static void test_long_spans_are_referred_to(void)
{
    struct tk_arena arena;
    struct tk_out out;
    static char span[4000];

    memset(span, 's', sizeof(span));
    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    tk_out_put(&out, "a", 1);
    tk_out_ref(&out, (struct tk_str){span, TK_OUT_COPY_MAX});
    CU_ASSERT_EQUAL(out.count, 1);
    tk_out_ref(&out, (struct tk_str){span, 1000});
    CU_ASSERT_EQUAL(out.count, 2);
    CU_ASSERT_PTR_EQUAL(out.pieces[1].iov_base, span);
    tk_out_ref(&out, (struct tk_str){span + 1000, 3000}); /* what follows in memory is one piece */
    CU_ASSERT_EQUAL(out.count, 2);
    tk_out_put(&out, "b", 1);
    tk_out_put(&out, "c", 1);
    CU_ASSERT_EQUAL(out.count, 3);
    CU_ASSERT_EQUAL(out.size, 1 + TK_OUT_COPY_MAX + 4000 + 2);
    {
        struct tk_str joined = tk_out_join(&out);

        CU_ASSERT_EQUAL(joined.n, out.size);
        CU_ASSERT(tk_str_starts(joined, TK_STR("assss")));
        CU_ASSERT(tk_str_ends(joined, TK_STR("sssbc")));
    }
    tk_arena_done(&arena);
}

static void test_reserved_places_never_move(void)
{
    struct tk_arena arena;
    struct tk_out out;
    char *places[1000];
    struct tk_str joined;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    for (int i = 0; i < 1000; i++) {
        places[i] = tk_out_reserve(&out, 5);
        tk_out_put(&out, "xyz", (size_t)(i % 4));
    }
    for (int i = 0; i < 1000; i++)
        snprintf(places[i], 5, "%04d", i);
    joined = tk_out_join(&out);
    for (int i = 0; i < 1000; i++) {
        char want[8];

        snprintf(want, sizeof(want), "%04d", i);
        CU_ASSERT_EQUAL(memcmp(joined.p, want, 5), 0);
        joined.p += 5 + i % 4;
    }
    tk_arena_done(&arena);
}

/* A span alone is copied when joined: the document may be gone when the join is used. */
static void test_joining_copies_spans(void)
{
    struct tk_arena arena;
    struct tk_out out;
    char *span = malloc(1000);
    struct tk_str joined;

    memset(span, 's', 1000);
    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    tk_out_ref(&out, (struct tk_str){span, 1000});
    joined = tk_out_join(&out);
    free(span);
    CU_ASSERT_EQUAL(joined.n, 1000);
    CU_ASSERT_EQUAL(joined.p[999], 's');
    tk_arena_done(&arena);
}

static void test_without_memory(void)
{
    static char span[1000];

    for (size_t fail_at = 1; fail_at < 6; fail_at++) {
        struct memory memory = {.fail_at = fail_at};
        struct tk_arena arena;
        struct tk_out out;

        tk_arena_init(&arena, memory_allocator(&memory));
        tk_out_init(&out, &arena);
        for (int i = 0; i < 100000 && !tk_arena_failed(&arena); i++) {
            tk_out_put(&out, "abc", 3);
            tk_out_ref(&out, (struct tk_str){span, 1000});
        }
        CU_ASSERT_TRUE(tk_arena_failed(&arena));
        tk_arena_done(&arena);
        CU_ASSERT_EQUAL(memory.blocks, 0);
    }
}

static void test_limit(void)
{
    struct tk_arena arena;
    struct tk_out out;
    static char span[4000];
    char *place;

    memset(span, 's', sizeof(span));
    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    out.limit = 1010;
    tk_out_ref(&out, (struct tk_str){span, 1000});
    place = tk_out_reserve(&out, 20); /* more than there is room for, most of it given back */
    CU_ASSERT_PTR_NOT_NULL_FATAL(place);
    tk_out_give_back(&out, 10);
    CU_ASSERT(!tk_out_is_full(&out));
    tk_out_put(&out, "x", 1);
    CU_ASSERT(tk_out_is_full(&out));
    tk_out_ref(&out, (struct tk_str){span, sizeof(span)});
    tk_out_put(&out, "x", 1);
    CU_ASSERT_PTR_NULL(tk_out_reserve(&out, 1));
    CU_ASSERT_EQUAL(out.size, 1011); /* what came later took no room */
    CU_ASSERT(!tk_arena_failed(&arena));
    tk_arena_done(&arena);
}

TAP_MAIN("out", TAP_TEST(test_limit), TAP_TEST(test_short_ones_take_little),
         TAP_TEST(test_growth_with_others_between), TAP_TEST(test_what_is_put_follows_itself),
         TAP_TEST(test_long_spans_are_referred_to), TAP_TEST(test_reserved_places_never_move),
         TAP_TEST(test_joining_copies_spans), TAP_TEST(test_without_memory))
