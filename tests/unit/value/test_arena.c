/* SPDX-License-Identifier: Apache-2.0 */
#include "../memory.h"
#include "../tap.h"
#include "value/arena.h"

#include <stdint.h>
#include <stdlib.h>

static void test_pieces_are_aligned_and_apart(void)
{
    struct memory memory = {0};
    struct tk_arena arena;
    unsigned char *pieces[2000];

    tk_arena_init(&arena, memory_allocator(&memory));
    for (size_t i = 0; i < 2000; i++) {
        pieces[i] = tk_arena_alloc(&arena, i % 97);
        CU_ASSERT_PTR_NOT_NULL_FATAL(pieces[i]);
        CU_ASSERT_EQUAL((uintptr_t)pieces[i] % 8, 0);
        memset(pieces[i], (int)(i & 0xff), i % 97);
    }
    for (size_t i = 0; i < 2000; i++)
        for (size_t k = 0; k < i % 97; k++)
            if (pieces[i][k] != (i & 0xff))
                CU_FAIL("a piece was overwritten");
    CU_ASSERT(tk_arena_size(&arena) == memory.bytes);
    tk_arena_done(&arena);
    CU_ASSERT_EQUAL(memory.blocks, 0);
    CU_ASSERT_FALSE(memory.confused);
}

static void test_large_pieces_leave_the_room_of_the_newest_block(void)
{
    struct tk_arena arena;
    char *a, *b;

    tk_arena_init(&arena, tk_libc_allocator);
    a = tk_arena_alloc(&arena, 8);
    CU_ASSERT_PTR_NOT_NULL(tk_arena_alloc(&arena, 1 << 20));
    b = tk_arena_alloc(&arena, 8);
    CU_ASSERT_PTR_EQUAL(b, a + 8);
    tk_arena_done(&arena);
}

static void test_zalloc_zeroes_and_refuses_overflow(void)
{
    struct tk_arena arena;
    char *p;
    static const char zeros[4000];

    tk_arena_init(&arena, tk_libc_allocator);
    memset(tk_arena_alloc(&arena, 3000), 'x', 3000);
    tk_arena_reset(&arena);
    p = tk_arena_zalloc(&arena, 400, 10);
    CU_ASSERT_EQUAL(memcmp(p, zeros, 4000), 0);
    CU_ASSERT_FALSE(tk_arena_failed(&arena));
    CU_ASSERT_PTR_NULL(tk_arena_zalloc(&arena, SIZE_MAX / 2, 3));
    CU_ASSERT_TRUE(tk_arena_failed(&arena));
    CU_ASSERT_PTR_NULL(tk_arena_alloc(&arena, SIZE_MAX));
    tk_arena_done(&arena);
}

static void test_grow_in_place_and_by_copy(void)
{
    struct tk_arena arena;
    char *a, *b, *c;

    tk_arena_init(&arena, tk_libc_allocator);
    a = tk_arena_grow(&arena, NULL, 0, 10);
    memcpy(a, "0123456789", 10);
    b = tk_arena_grow(&arena, a, 10, 100);
    CU_ASSERT_PTR_EQUAL(a, b);
    CU_ASSERT_PTR_EQUAL(tk_arena_grow(&arena, b, 100, 50), b);
    tk_arena_alloc(&arena, 1);
    c = tk_arena_grow(&arena, b, 100, 200);
    CU_ASSERT_PTR_NOT_EQUAL(c, b);
    CU_ASSERT_EQUAL(memcmp(c, "0123456789", 10), 0);
    /* through the end of the block, step by step */
    for (size_t n = 200; n < 20000; n += 7) {
        c = tk_arena_grow(&arena, c, n, n + 7);
        CU_ASSERT_PTR_NOT_NULL_FATAL(c);
        memset(c + n, 'y', 7);
    }
    CU_ASSERT_EQUAL(memcmp(c, "0123456789", 10), 0);
    CU_ASSERT_PTR_NULL(tk_arena_grow(&arena, c, 20000, SIZE_MAX - 3));
    tk_arena_done(&arena);
}

static void test_reset_keeps_one_block(void)
{
    struct memory memory = {0};
    struct tk_arena arena;

    tk_arena_init(&arena, memory_allocator(&memory));
    for (size_t i = 0; i < 10000; i++)
        tk_arena_alloc(&arena, 100);
    tk_arena_alloc(&arena, 1 << 22);
    tk_arena_reset(&arena);
    CU_ASSERT_EQUAL(memory.blocks, 1);
    CU_ASSERT(memory.bytes <= 65536);
    {
        size_t calls = memory.calls;

        CU_ASSERT_PTR_NOT_NULL(tk_arena_alloc(&arena, 1000));
        CU_ASSERT_EQUAL(memory.calls, calls);
    }
    tk_arena_done(&arena);
    tk_arena_alloc(&arena, 1 << 22); /* a large piece first: nothing worth keeping */
    tk_arena_reset(&arena);
    CU_ASSERT_EQUAL(memory.blocks, 0);
    CU_ASSERT_PTR_NOT_NULL(tk_arena_alloc(&arena, 10));
    tk_arena_done(&arena);
    CU_ASSERT_EQUAL(memory.blocks, 0);
    CU_ASSERT_FALSE(memory.confused);
}

static void test_text(void)
{
    struct tk_arena arena;
    struct tk_str parts[] = {TK_STR("a"), {NULL, 0}, TK_STR(""), TK_STR("bc")};

    tk_arena_init(&arena, tk_libc_allocator);
    CU_ASSERT(tk_str_is(tk_arena_concat(&arena, parts, 4), "abc"));
    CU_ASSERT(tk_str_is(tk_arena_printf(&arena, "%d-%s", 12, "x"), "12-x"));
    CU_ASSERT(tk_str_is(tk_arena_printf(&arena, "%s", ""), ""));
    CU_ASSERT(tk_str_is(tk_arena_dup(&arena, TK_STR("hello")), "hello"));
    CU_ASSERT_EQUAL(tk_arena_dup(&arena, (struct tk_str){NULL, 0}).n, 0);
    CU_ASSERT_EQUAL(tk_arena_printf(&arena, "%05000d", 1).n, 5000);
    tk_arena_done(&arena);
}

static void test_failure_sticks_until_reset(void)
{
    struct memory memory = {.fail_at = 2};
    struct tk_arena arena;

    tk_arena_init(&arena, memory_allocator(&memory));
    CU_ASSERT_PTR_NOT_NULL(tk_arena_alloc(&arena, 100));
    CU_ASSERT_FALSE(tk_arena_failed(&arena));
    CU_ASSERT_PTR_NULL(tk_arena_alloc(&arena, 100000));
    CU_ASSERT_TRUE(tk_arena_failed(&arena));
    CU_ASSERT_PTR_NOT_NULL(tk_arena_alloc(&arena, 100)); /* there is room */
    CU_ASSERT_PTR_NULL(tk_arena_printf(&arena, "%09000d", 1).p);
    CU_ASSERT_TRUE(tk_arena_failed(&arena));
    tk_arena_reset(&arena);
    CU_ASSERT_FALSE(tk_arena_failed(&arena));
    tk_arena_done(&arena);
    CU_ASSERT_EQUAL(memory.blocks, 0);
}

static void test_array_doubles_and_survives_lack_of_memory(void)
{
    struct memory memory = {0};
    struct tk_arena arena;
    uint32_t *list = NULL, *before, count = 0, capacity = 0;

    tk_arena_init(&arena, memory_allocator(&memory));
    for (; count < 1000; count++) {
        CU_ASSERT_TRUE_FATAL(TK_GROW(&arena, list, count, capacity));
        list[count] = count;
    }
    CU_ASSERT_EQUAL(capacity, 1024);
    for (uint32_t i = 0; i < count; i++)
        CU_ASSERT_EQUAL(list[i], i);
    before = list;
    count = capacity;
    memory.fail_at = memory.calls + 1;
    while (tk_arena_alloc(&arena, capacity))
        ;
    CU_ASSERT_FALSE(TK_GROW(&arena, list, count, capacity));
    CU_ASSERT_PTR_EQUAL(list, before);
    CU_ASSERT_EQUAL(capacity, 1024);
    tk_arena_done(&arena);
}

static void test_zeroed_arena_can_be_done(void)
{
    struct tk_arena arena = {.blocks = NULL};

    tk_arena_done(&arena);
    tk_arena_reset(&arena);
    CU_ASSERT_EQUAL(tk_arena_size(&arena), 0);
}

TAP_MAIN("arena", TAP_TEST(test_pieces_are_aligned_and_apart),
         TAP_TEST(test_large_pieces_leave_the_room_of_the_newest_block),
         TAP_TEST(test_zalloc_zeroes_and_refuses_overflow),
         TAP_TEST(test_grow_in_place_and_by_copy), TAP_TEST(test_reset_keeps_one_block),
         TAP_TEST(test_text), TAP_TEST(test_failure_sticks_until_reset),
         TAP_TEST(test_array_doubles_and_survives_lack_of_memory),
         TAP_TEST(test_zeroed_arena_can_be_done))
