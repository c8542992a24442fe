/* SPDX-License-Identifier: Apache-2.0 */
/* Names and ids as OpenAI's patterns see them. */
#include "../../documents.h"
#include "../../tap.h"
#include "providers/openai/characters.h"
#include "value/digest.h"

#define MANY 70

static void test_characters_are_code_points(void)
{
    CU_ASSERT_EQUAL(tk_characters(TK_STR("")), 0);
    CU_ASSERT_EQUAL(tk_characters(TK_STR("abc")), 3);
    CU_ASSERT_EQUAL(tk_characters(TK_STR("\xc3\xa9\xe2\x82\xac")), 2);
    CU_ASSERT_EQUAL(tk_characters(TK_STR("\xf0\x9f\x98\x80!")), 2);
}

/* Every byte by itself, and every length around the limit. */
static void test_plain_names(void)
{
    char name[MANY];

    for (int c = 0; c < 256; c++) {
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '-';

        name[0] = 'x';
        name[1] = (char)c;
        CU_ASSERT_EQUAL(tk_is_plain_name((struct tk_str){name, 2}, 64), plain);
    }
    memset(name, 'n', sizeof(name));
    for (size_t n = 0; n < MANY; n++)
        CU_ASSERT_EQUAL(tk_is_plain_name((struct tk_str){name, n}, 64), n > 0 && n <= 64);
}

static void test_a_digest_is_cut(void)
{
    struct reading r;
    char hex[TK_SHA256_HEX];

    reading_init(&r);
    tk_sha256_hex(TK_STR("an id"), hex);
    for (int digits = 1; digits <= 32; digits++) {
        struct tk_str id = tk_hashed("call_", TK_STR("an id"), digits, &r.arena);

        CU_ASSERT_EQUAL(id.n, strlen("call_") + (size_t)digits);
        CU_ASSERT(tk_str_starts(id, TK_STR("call_")));
        CU_ASSERT_EQUAL(memcmp(id.p + strlen("call_"), hex, (size_t)digits), 0);
    }
    CU_ASSERT(reading_done(&r));
}

/* Spelled with escapes, a string has fewer characters than bytes. */
static void test_long_strings_are_counted(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(
        reading_json(&r, TK_STR("[\"abcd\",\"\\u0061\\u0061\\u0061\",\"\xc3\xa9\xc3\xa9\",17]")),
        0);
    for (size_t most = 0; most < 6; most++) {
        struct tk_val v = tk_first(tk_root(&r.doc));

        CU_ASSERT_EQUAL(tk_characters_exceed(v, most, &r.arena), most < 4);
        v = tk_after(tk_root(&r.doc), v);
        CU_ASSERT_EQUAL(tk_characters_exceed(v, most, &r.arena), most < 3);
        v = tk_after(tk_root(&r.doc), v);
        CU_ASSERT_EQUAL(tk_characters_exceed(v, most, &r.arena), most < 2);
        v = tk_after(tk_root(&r.doc), v);
        CU_ASSERT_FALSE(tk_characters_exceed(v, most, &r.arena));
    }
    CU_ASSERT(reading_done(&r));
}

TAP_MAIN("openai_characters", TAP_TEST(test_characters_are_code_points), TAP_TEST(test_plain_names),
         TAP_TEST(test_a_digest_is_cut), TAP_TEST(test_long_strings_are_counted))
