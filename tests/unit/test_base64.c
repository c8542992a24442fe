/* SPDX-License-Identifier: Apache-2.0 */
#include "tap.h"
#include "value/base64.h"

#include <errno.h>

static void test_vectors(void)
{
    /* RFC 4648 section 10, and the whole alphabet. */
    static const struct {
        const char *text;
        struct tk_str bytes;
    } good[] = {
        {"", TK_STR_INIT("")},
        {"Zg==", TK_STR_INIT("f")},
        {"Zm8=", TK_STR_INIT("fo")},
        {"Zm9v", TK_STR_INIT("foo")},
        {"Zm9vYg==", TK_STR_INIT("foob")},
        {"Zm9vYmE=", TK_STR_INIT("fooba")},
        {"Zm9vYmFy", TK_STR_INIT("foobar")},
        {"AAECA/8=", TK_STR_INIT("\0\1\2\3\xff")},
        {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
         TK_STR_INIT("\x00\x10\x83\x10\x51\x87\x20\x92\x8b\x30\xd3\x8f\x41\x14\x93\x51\x55\x97\x61"
                     "\x96\x9b\x71\xd7\x9f\x82\x18\xa3\x92\x59\xa7\xa2\x9a\xab\xb2\xdb\xaf\xc3\x1c"
                     "\xb3\xd3\x5d\xb7\xe3\x9e\xbb\xf3\xdf\xbf")},
    };
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        struct tk_str bytes;

        CU_ASSERT_EQUAL(tk_base64_decode(tk_str_of(good[i].text), &arena, &bytes), 0);
        CU_ASSERT(tk_str_eq(bytes, good[i].bytes));
    }
    tk_arena_done(&arena);
}

static void test_refusals(void)
{
    static const char *const bad[] = {
        "Z",    "Zg",   "Zg=",   "Zm9vY", "Zg==Zg==", "====",  "=g==",
        "Z===", "Zm 9", "Zm9\n", "Zm-_",  "%%%%",     "Zm9v=", "Zm9vYg==\n",
    };
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct tk_str bytes = TK_STR("untouched");

        CU_ASSERT_EQUAL(tk_base64_decode(tk_str_of(bad[i]), &arena, &bytes), TK_BASE64_INVALID);
        CU_ASSERT(tk_str_is(bytes, "untouched"));
    }
    tk_arena_done(&arena);
}

TAP_MAIN("base64", TAP_TEST(test_vectors), TAP_TEST(test_refusals))
