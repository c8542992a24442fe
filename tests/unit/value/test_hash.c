/* SPDX-License-Identifier: Apache-2.0 */
#include "../memory.h"
#include "../tap.h"
#include "value/hash.h"

#include <stdint.h>
#include <stdlib.h>

/*
 * An independent SipHash with c and d rounds, written from the paper; checked with the paper's
 * vector for 2-4, it then says what 1-3 has to give.
 */
static uint64_t rotate(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

static void rounds(uint64_t v[4], int n)
{
    while (n-- > 0) {
        v[0] += v[1], v[2] += v[3];
        v[1] = rotate(v[1], 13), v[3] = rotate(v[3], 16);
        v[1] ^= v[0], v[3] ^= v[2];
        v[0] = rotate(v[0], 32);
        v[2] += v[1], v[0] += v[3];
        v[1] = rotate(v[1], 17), v[3] = rotate(v[3], 21);
        v[1] ^= v[2], v[3] ^= v[0];
        v[2] = rotate(v[2], 32);
    }
}

static uint64_t reference(int c, int d, const uint64_t key[2], const uint8_t *p, size_t n)
{
    uint64_t v[4] = {key[0] ^ 0x736f6d6570736575, key[1] ^ 0x646f72616e646f6d,
                     key[0] ^ 0x6c7967656e657261, key[1] ^ 0x7465646279746573};

    for (size_t i = 0; i <= n / 8; i++) {
        uint64_t word = i == n / 8 ? (uint64_t)(n & 0xff) << 56 : 0;

        for (size_t k = 0; k < 8 && 8 * i + k < n; k++)
            word |= (uint64_t)p[8 * i + k] << (8 * k);
        v[3] ^= word;
        rounds(v, c);
        v[0] ^= word;
    }
    v[2] ^= 0xff;
    rounds(v, d);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

static void test_against_the_paper(void)
{
    const uint64_t key[2] = {0x0706050403020100, 0x0f0e0d0c0b0a0908};
    uint8_t bytes[100];

    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)i;
    CU_ASSERT_EQUAL(reference(2, 4, key, bytes, 15), 0xa129ca6149be45e5);
    for (size_t n = 0; n <= sizeof(bytes); n++)
        CU_ASSERT_EQUAL(tk_hash(key, bytes, n), reference(1, 3, key, bytes, n));
}

static void test_the_key_matters(void)
{
    const uint64_t a[2] = {1, 2}, b[2] = {1, 3};

    CU_ASSERT_NOT_EQUAL(tk_hash(a, "abc", 3), tk_hash(b, "abc", 3));
    CU_ASSERT_NOT_EQUAL(tk_hash(a, "abc", 3), tk_hash(a, "abd", 3));
    CU_ASSERT_NOT_EQUAL(tk_hash(a, "\0", 1), tk_hash(a, "\0\0", 2));
}

static void test_map(void)
{
    const uint64_t key[2] = {7, 8};
    struct tk_arena arena;
    struct tk_map map;
    bool is_new;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_map_init(&map, &arena, key);
    CU_ASSERT_PTR_NULL(tk_map_get(&map, TK_STR("a")));
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t *slot = tk_map_put(&map, tk_arena_printf(&arena, "key %u", i), &is_new);

        CU_ASSERT_PTR_NOT_NULL_FATAL(slot);
        CU_ASSERT(is_new && *slot == 0);
        *slot = i + 1;
    }
    CU_ASSERT_EQUAL(map.count, 20000);
    for (uint32_t i = 0; i < 20000; i++) {
        uint32_t *slot = tk_map_put(&map, tk_arena_printf(&arena, "key %u", i), &is_new);

        CU_ASSERT(!is_new && *slot == i + 1);
    }
    CU_ASSERT_PTR_NULL(tk_map_get(&map, TK_STR("key 20000")));
    CU_ASSERT_PTR_NOT_NULL(tk_map_get(&map, TK_STR("key 19999")));
    tk_arena_done(&arena);
}

static void test_map_is_cleared(void)
{
    const uint64_t key[2] = {7, 8};
    struct tk_arena arena;
    struct tk_map map;
    bool is_new;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_map_init(&map, &arena, key);
    for (uint32_t n = 0; n < 200; n += 50) {
        struct tk_map_slot *slots;

        CU_ASSERT_FATAL(tk_map_clear(&map, n));
        CU_ASSERT_EQUAL(map.count, 0);
        CU_ASSERT_PTR_NULL(tk_map_get(&map, TK_STR("key 0")));
        slots = map.slots;
        for (uint32_t i = 0; i < n; i++)
            *tk_map_put(&map, tk_arena_printf(&arena, "key %u", i), &is_new) = i;
        CU_ASSERT_PTR_EQUAL(map.slots, slots); /* there was room for as many */
        CU_ASSERT_FATAL(tk_map_clear(&map, n));
        CU_ASSERT_PTR_EQUAL(map.slots, slots);
    }
    tk_arena_done(&arena);
}

static void test_map_takes_any_bytes(void)
{
    const uint64_t key[2] = {7, 8};
    struct tk_arena arena;
    struct tk_map map;
    bool is_new;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_map_init(&map, &arena, key);
    *tk_map_put(&map, (struct tk_str){NULL, 0}, &is_new) = 5;
    CU_ASSERT_TRUE(is_new);
    CU_ASSERT_EQUAL(*tk_map_get(&map, TK_STR("")), 5);
    *tk_map_put(&map, TK_STR("a\0b"), &is_new) = 6;
    *tk_map_put(&map, TK_STR("a\0c"), &is_new) = 7;
    CU_ASSERT_EQUAL(*tk_map_get(&map, TK_STR("a\0b")), 6);
    CU_ASSERT_PTR_NULL(tk_map_get(&map, TK_STR("a")));
    tk_arena_done(&arena);
}

static void test_map_without_memory(void)
{
    const uint64_t key[2] = {7, 8};

    for (size_t fail_at = 1; fail_at < 8; fail_at++) {
        struct memory memory = {.fail_at = fail_at};
        char text[1000][8];
        struct tk_arena arena;
        struct tk_map map;
        uint32_t n = 0;
        bool is_new;

        tk_arena_init(&arena, memory_allocator(&memory));
        tk_map_init(&map, &arena, key);
        for (; n < 1000; n++) {
            uint32_t *slot;

            snprintf(text[n], sizeof(text[n]), "%u", n);
            slot = tk_map_put(&map, tk_str_of(text[n]), &is_new);
            if (!slot)
                break;
            *slot = n;
        }
        CU_ASSERT(n < 1000 ? tk_arena_failed(&arena) : fail_at > 2);
        /* All strings are still in the table. */
        for (uint32_t i = 0; i < n; i++)
            CU_ASSERT_EQUAL(*tk_map_get(&map, tk_str_of(text[i])), i);
        tk_arena_done(&arena);
        CU_ASSERT_EQUAL(memory.blocks, 0);
    }
}

TAP_MAIN("hash", TAP_TEST(test_against_the_paper), TAP_TEST(test_the_key_matters),
         TAP_TEST(test_map), TAP_TEST(test_map_is_cleared), TAP_TEST(test_map_takes_any_bytes),
         TAP_TEST(test_map_without_memory))
