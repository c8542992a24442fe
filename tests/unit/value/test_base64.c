/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../tap.h"
#include "value/base64.h"

#include <errno.h>
#include <stdlib.h>

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

/* ---- strings as they are spelled ---- */

static struct tk_val string_of(struct reading *r, const char *json)
{
    reading_init(r);
    CU_ASSERT_EQUAL_FATAL(reading_json(r, tk_str_of(json)), 0);
    return tk_root(&r->doc);
}

/* Checks that the verdict is that of decoding the unescaped text. */
static void check_verdict(const char *json)
{
    struct reading r;
    struct tk_val v = string_of(&r, json);
    struct tk_str bytes;
    bool good =
        tk_is(v, TK_STRING) && tk_base64_decode(tk_text(v, &r.arena), &r.arena, &bytes) == 0;

    if (tk_base64_valid(v) != good)
        printf("# %s: %d\n", json, !good);
    CU_ASSERT_EQUAL(tk_base64_valid(v), good);
    if (good)
        CU_ASSERT_EQUAL(tk_base64_length(v), tk_text(v, &r.arena).n);
    CU_ASSERT(reading_done(&r));
}

static void test_verdicts(void)
{
    static const char *const texts[] = {
        "\"\"",
        "\"Zg==\"",
        "\"Zm8=\"",
        "\"Zm9v\"",
        "\"Z\"",
        "\"Zg\"",
        "\"Zg=\"",
        "\"Zm9vY\"",
        "\"Zg==Zg==\"",
        "\"====\"",
        "\"=g==\"",
        "\"Z===\"",
        "\"Zm 9\"",
        "\"Zm9\\n\"",
        "\"Zm-_\"",
        "\"%%%%\"",
        "\"Zm9v=\"",
        "\"\\/\\/\\/\\/\"",
        "\"\\u002b\\u002F00\"",
        "\"Zg\\u003d=\"",
        "\"Zg=\\u003D\"",
        "\"Zm\\u00e4v\"",
        "\"\\ud83d\\ude00AA\"",
        "\"Zm9\u00e4\"",
        "\"Zm9\\u0000\"",
        "7",
        "null",
        "[]",
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        check_verdict(texts[i]);
}

/* Replaces a digit at each place of three blocks by each byte that a string may have. */
static void test_a_foreign_byte_anywhere(void)
{
    char json[200];

    for (size_t n = 4; n < sizeof(json) - 3; n += 44)
        for (size_t at = 1; at <= n; at += at % 64 > 3 && at % 64 < 60 ? 9 : 1)
            for (int c = 0x20; c < 0x80; c++) {
                if (c == '"' || c == '\\')
                    continue;
                memset(json, 'Q', n + 2);
                json[0] = json[n + 1] = '"';
                json[n + 2] = '\0';
                json[at] = (char)c;
                check_verdict(json);
            }
}

/* Every byte asked for in steps gives what decoding gives. */
static void test_single_bytes(void)
{
    static const char *const spelled[] = {
        "\"AAECAwQFBgcICQoLDA0ODw==\"",
        "\"\\u0041\\u0041ECAwQFBgcICQoLDA0\\u004fDw\\u003d=\"",
        "\"AAECAw\\u0051FBgcICQoLDA0ODw=\\u003d\"",
    };

    for (size_t i = 0; i < sizeof(spelled) / sizeof(spelled[0]); i++)
        for (size_t step = 1; step < 20; step++) {
            struct reading r;
            struct tk_base64 b;

            tk_base64_open(&b, string_of(&r, spelled[i]));
            for (size_t at = step - 1; at < 40; at += step)
                CU_ASSERT_EQUAL(tk_base64_byte(&b, at), at < 16 ? (int)at : -1);
            CU_ASSERT(reading_done(&r));
        }
}

TAP_MAIN("base64", TAP_TEST(test_vectors), TAP_TEST(test_refusals), TAP_TEST(test_verdicts),
         TAP_TEST(test_a_foreign_byte_anywhere), TAP_TEST(test_single_bytes))
