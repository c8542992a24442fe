/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../tap.h"
#include "value/number.h"
#include "value/writer.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>

struct writing {
    struct tk_arena arena;
    struct tk_out out;
    struct tk_writer w;
};

static struct tk_writer *writing_init(struct writing *x, enum tk_codec codec)
{
    tk_arena_init(&x->arena, tk_libc_allocator);
    tk_out_init(&x->out, &x->arena);
    tk_writer_init(&x->w, codec, &x->out);
    return &x->w;
}

/* Ends it: true if it wrote these bytes. */
static bool wrote(struct writing *x, struct tk_str want)
{
    struct tk_str got = tk_out_join(&x->out);
    bool same = tk_str_eq(got, want) && !tk_arena_failed(&x->arena);

    if (!same) {
        printf("# %.*s instead of %.*s\n#", (int)got.n, got.p, (int)want.n, want.p);
        for (size_t i = 0; i < got.n && i < 100; i++)
            printf(" %02x", (uint8_t)got.p[i]);
        printf("\n");
    }
    tk_arena_done(&x->arena);
    return same;
}

static void write_everything(struct tk_writer *w)
{
    tk_write_map(w);
    tk_write_kv_bool(w, "t", true);
    tk_write_kv_bool(w, "f", false);
    tk_write_key(w, "n");
    tk_write_null(w);
    tk_write_kv_int(w, "i", -5);
    tk_write_key(w, "u");
    tk_write_uint(w, UINT64_MAX);
    tk_write_key(w, "r");
    tk_write_real(w, 12.5);
    tk_write_kv_cstr(w, "c", "x");
    tk_write_kv_str(w, "s", TK_STR("a\"b"));
    tk_write_key_str(w, TK_STR("k\n"));
    tk_write_strf(w, "%d/%s", 3, "y");
    tk_write_key(w, "l");
    tk_write_list(w);
    tk_write_list(w);
    tk_write_end(w);
    tk_write_map(w);
    tk_write_end(w);
    tk_write_int(w, 1);
    tk_write_end(w);
    tk_write_key(w, "raw");
    tk_write_raw(w, w->codec == TK_JSON ? TK_STR("[1 ]") : TK_STR("\x91\x01"));
    tk_write_end(w);
}

static void test_everything_in_json(void)
{
    struct writing x;

    write_everything(writing_init(&x, TK_JSON));
    CU_ASSERT_TRUE(wrote(&x, TK_STR("{\"t\":true,\"f\":false,\"n\":null,\"i\":-5,"
                                    "\"u\":18446744073709551615,\"r\":12.5,\"c\":\"x\","
                                    "\"s\":\"a\\\"b\",\"k\\n\":\"3/y\",\"l\":[[],{},1],"
                                    "\"raw\":[1 ]}")));
}

static void test_everything_in_msgpack(void)
{
    struct writing x;

    write_everything(writing_init(&x, TK_MSGPACK));
    CU_ASSERT_TRUE(wrote(&x, TK_STR("\xdf\x00\x00\x00\x0b"
                                    "\xa1t\xc3\xa1"
                                    "f\xc2\xa1n\xc0\xa1i\xfb\xa1u\xcf\xff\xff\xff\xff\xff\xff\xff"
                                    "\xff\xa1r\xcb\x40\x29\x00\x00\x00\x00\x00\x00\xa1"
                                    "c\xa1x\xa1s\xa3"
                                    "a\"b\xa2k\n\xa3"
                                    "3/y\xa1l\xdd\x00\x00\x00\x03\xdd\x00\x00\x00\x00\xdf\x00\x00"
                                    "\x00\x00\x01\xa3raw\x91\x01")));
}

static void test_scalars_as_documents(void)
{
    struct writing x;

    tk_write_int(writing_init(&x, TK_JSON), INT64_MIN);
    CU_ASSERT_TRUE(wrote(&x, TK_STR("-9223372036854775808")));
    tk_write_cstr(writing_init(&x, TK_MSGPACK), "");
    CU_ASSERT_TRUE(wrote(&x, TK_STR("\xa0")));
}

static void test_deepest_nesting(void)
{
    struct writing x;
    struct tk_writer *w = writing_init(&x, TK_JSON);
    char want[2 * TK_WRITER_DEPTH];

    for (int i = 0; i < TK_WRITER_DEPTH; i++)
        tk_write_list(w);
    for (int i = 0; i < TK_WRITER_DEPTH; i++)
        tk_write_end(w);
    memset(want, '[', TK_WRITER_DEPTH);
    memset(want + TK_WRITER_DEPTH, ']', TK_WRITER_DEPTH);
    CU_ASSERT_TRUE(wrote(&x, (struct tk_str){want, sizeof(want)}));
}

static void test_strings_in_json(void)
{
    static const struct {
        struct tk_str text, want;
    } rows[] = {
        {TK_STR(""), TK_STR("\"\"")},
        {TK_STR("\"\\/\b\f\n\r\t"), TK_STR("\"\\\"\\\\/\\b\\f\\n\\r\\t\"")},
        {TK_STR("\0\x01\x1f\x7f"), TK_STR("\"\\u0000\\u0001\\u001f\x7f\"")},
        {TK_STR("\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80"),
         TK_STR("\"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80\"")},
        {TK_STR("\xed\xa0\xbd"), TK_STR("\"\\ud83d\"")},
        {TK_STR("a\xed\xb8\x80"), TK_STR("\"a\\ude00\"")},
        {TK_STR("\xed\x9f\xbf\xed\xbf\xbf\xee\x80\x80"),
         TK_STR("\"\xed\x9f\xbf\\udfff\xee\x80\x80\"")},
        {TK_STR("\xe2\x80\xa8</script>"), TK_STR("\"\xe2\x80\xa8</script>\"")},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct writing x;

        tk_write_str(writing_init(&x, TK_JSON), rows[i].text);
        CU_ASSERT_TRUE(wrote(&x, rows[i].want));
    }
}

static void test_a_lone_surrogate_in_msgpack_keeps_its_bytes(void)
{
    struct writing x;

    tk_write_str(writing_init(&x, TK_MSGPACK), TK_STR("\xed\xa0\xbd"));
    CU_ASSERT_TRUE(wrote(&x, TK_STR("\xa3\xed\xa0\xbd")));
}

static void test_sizes_of_strings_in_msgpack(void)
{
    static const struct {
        size_t n, header;
        uint8_t first;
    } rows[] = {{31, 1, 0xbf},  {32, 2, 0xd9},    {255, 2, 0xd9},
                {256, 3, 0xda}, {65535, 3, 0xda}, {65536, 5, 0xdb}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct writing x;
        struct tk_writer *w = writing_init(&x, TK_MSGPACK);
        char *text = calloc(1, rows[i].n);
        struct tk_str got;

        tk_write_str(w, (struct tk_str){text, rows[i].n});
        got = tk_out_join(&x.out);
        CU_ASSERT_EQUAL(got.n, rows[i].n + rows[i].header);
        CU_ASSERT_EQUAL((uint8_t)got.p[0], rows[i].first);
        tk_arena_done(&x.arena);
        free(text);
    }
}

/* ---- reals ---- */

static void check_reals(void)
{
    static const struct {
        double d;
        const char *text;
    } rows[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1.0, "1.0"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.30000000000000004, "0.30000000000000004"},
        {100.0, "100.0"},
        {123456.789, "123456.789"},
        {1e16, "10000000000000000.0"},
        {12345678901234567.0, "12345678901234568.0"},
        {1e17, "1e17"},
        {1.5e300, "1.5e300"},
        {0.00001, "0.00001"},
        {0.0000015, "1.5e-6"},
        {5e-324, "5e-324"},
        {2.2250738585072014e-308, "2.2250738585072014e-308"},
        {DBL_MAX, "1.7976931348623157e308"},
        {-DBL_MAX, "-1.7976931348623157e308"},
        {1.0 / 3, "0.3333333333333333"},
        {(double)0.1f, "0.10000000149011612"},
        {9007199254740993.0, "9007199254740992.0"},
        {-2.2250738585072014e-308, "-2.2250738585072014e-308"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char text[TK_REAL_TEXT_MAX];
        size_t n = tk_real_text(rows[i].d, text);

        if (!tk_str_is((struct tk_str){text, n}, rows[i].text)) {
            printf("# %.*s instead of %s\n", (int)n, text, rows[i].text);
            CU_FAIL("another form");
        }
    }
}

static void check_lexemes(void)
{
    static const struct {
        const char *lexeme;
        double d;
    } rows[] = {
        {"0", 0},
        {"-0", -0.0},
        {"1.5", 1.5},
        {"-12.25e2", -1225},
        {"1E+2", 100},
        {"100e-2", 1},
        {"0.1", 0.1},
        {"123456789012345678901234567890", 123456789012345678901234567890.0},
        {"1e999", DBL_MAX},
        {"-1e999", -DBL_MAX},
        {"1e99999999999999999999", DBL_MAX},
        {"1e-99999999999999999999", 0},
        {"-1e-999", -0.0},
        {"0.000000000000000000000000000000000001e36", 1},
        {"2.2250738585072011e-308", 2.2250738585072011e-308},
        {"4.9e-324", 5e-324},
    };
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        double d = 77;

        CU_ASSERT_TRUE(tk_real_of(tk_str_of(rows[i].lexeme), &arena, &d));
        if (memcmp(&d, &rows[i].d, sizeof(d)) != 0) {
            printf("# %s: %.17g instead of %.17g\n", rows[i].lexeme, d, rows[i].d);
            CU_FAIL("another number");
        }
    }
    tk_arena_done(&arena);
}

static void test_reals(void)
{
    check_reals();
    check_lexemes();
}

/* A program that embeds the library may have set a locale whose decimal point is a comma. */
static void test_reals_whatever_the_locale(void)
{
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE",
                                          "es_ES.UTF-8"};
    const char *set = NULL;

    for (size_t i = 0; !set && i < sizeof(locales) / sizeof(locales[0]); i++)
        set = setlocale(LC_NUMERIC, locales[i]);
    printf("# locale: %s\n", set ? set : "none with a comma is installed");
    check_reals();
    check_lexemes();
    setlocale(LC_NUMERIC, "C");
}

static void test_random_reals_read_back(void)
{
    uint64_t seed = 12345;
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    for (int i = 0; i < 50000; i++) {
        uint64_t bits =
            (uint64_t)random_below(&seed, UINT32_MAX) << 32 | random_below(&seed, UINT32_MAX);
        char text[TK_REAL_TEXT_MAX], shorter[64];
        double d, back;
        size_t n;

        memcpy(&d, &bits, sizeof(d));
        if (!isfinite(d))
            continue;
        n = tk_real_text(d, text);
        CU_ASSERT_FATAL(n < TK_REAL_TEXT_MAX);
        CU_ASSERT_TRUE(tk_real_of((struct tk_str){text, n}, &arena, &back));
        if (memcmp(&d, &back, sizeof(d)) != 0)
            CU_FAIL_FATAL("a real doesn't read back");
        CU_ASSERT(strtod(text, NULL) - d == 0);
        /* One digit less doesn't: it is the shortest. */
        snprintf(shorter, sizeof(shorter), "%.14e", d);
        if (strtod(shorter, NULL) - d == 0)
            CU_ASSERT(n <= strlen(shorter) + 2);
        if (i % 1000 == 0)
            tk_arena_reset(&arena);
    }
    tk_arena_done(&arena);
}

/* ---- values of documents ---- */

static void test_values_keep_their_bytes(void)
{
    struct reading r;
    struct writing x;
    struct tk_writer *w = writing_init(&x, TK_JSON);

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("{\"a\": [1.0 , \"\\u00e9\\/\"], \"b\":{ }}")),
                          0);
    tk_write_list(w);
    tk_write_val(w, tk_get(tk_root(&r.doc), TK_STR("a")));
    tk_write_any(w, tk_get(tk_root(&r.doc), TK_STR("b")));
    tk_write_any(w, (struct tk_val){&r.doc, 3});
    tk_write_end(w);
    CU_ASSERT_TRUE(wrote(&x, TK_STR("[[1.0 , \"\\u00e9\\/\"],{ },\"\\u00e9\\/\"]")));
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_json_to_msgpack(void)
{
    static const struct {
        const char *json;
        struct tk_str msgpack;
    } rows[] = {
        {"[0,127,128,-32,-33,255,256,65536,4294967296]",
         TK_STR("\x99\x00\x7f\xcc\x80\xe0\xd0\xdf\xcc\xff\xcd\x01\x00\xce\x00\x01\x00\x00\xcf\x00"
                "\x00\x00\x01\x00\x00\x00\x00")},
        {"-9223372036854775808", TK_STR("\xd3\x80\x00\x00\x00\x00\x00\x00\x00")},
        {"18446744073709551615", TK_STR("\xcf\xff\xff\xff\xff\xff\xff\xff\xff")},
        {"18446744073709551616", TK_STR("\xcb\x43\xf0\x00\x00\x00\x00\x00\x00")},
        {"-9223372036854775809", TK_STR("\xcb\xc3\xe0\x00\x00\x00\x00\x00\x00")},
        {"1.0", TK_STR("\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00")},
        {"1e999", TK_STR("\xcb\x7f\xef\xff\xff\xff\xff\xff\xff")},
        {"{ \"\\u0061\" : [ null , true , false ] , \"b\" : { } }", TK_STR("\x82\xa1"
                                                                           "a\x93\xc0\xc3\xc2\xa1"
                                                                           "b\x80")},
        {"\"\\n\\ud83d\\ude00\"", TK_STR("\xa5\n\xf0\x9f\x98\x80")},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct writing x;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i].json)), 0);
        tk_write_any(writing_init(&x, TK_MSGPACK), tk_root(&r.doc));
        CU_ASSERT_TRUE(wrote(&x, rows[i].msgpack));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

/* Around each length at which the header changes, and with each number of escapes. */
static void test_escaped_strings_in_msgpack(void)
{
    static const size_t sizes[] = {0, 1, 31, 32, 33, 127, 128, 255, 256, 257, 505, 511, 512, 513};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (size_t escapes = 0; escapes <= sizes[i]; escapes++) {
            struct writing plain, packed, framed;
            struct reading r;
            char text[513], json[2 * 513 + 2], *at = json;

            for (size_t k = 0; k < sizes[i]; k++)
                text[k] = k < escapes ? '\n' : 'x';
            *at++ = '"';
            for (size_t k = 0; k < sizes[i]; k++) {
                *at = '\\';
                at += k < escapes;
                *at++ = k < escapes ? 'n' : 'x';
            }
            *at++ = '"';
            reading_init(&r);
            CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){json, (size_t)(at - json)}), 0);
            tk_write_str(writing_init(&plain, TK_MSGPACK), (struct tk_str){text, sizes[i]});
            tk_write_any(writing_init(&packed, TK_MSGPACK), tk_root(&r.doc));
            CU_ASSERT(wrote(&packed, tk_out_join(&plain.out)));
            tk_write_framed(writing_init(&framed, TK_MSGPACK), TK_STR(""), tk_root(&r.doc),
                            TK_STR(""));
            CU_ASSERT(wrote(&framed, tk_out_join(&plain.out)));
            tk_arena_done(&plain.arena);
            CU_ASSERT_TRUE(reading_done(&r));
        }
}

static void test_parts_in_the_other_codec(void)
{
    struct reading r;
    struct writing x;
    struct tk_writer *w = writing_init(&x, TK_JSON);

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_msgpack(&r, TK_STR("\x92\x81\xa1"
                                                     "k\x05\xa1v")),
                          0);
    tk_write_map(w);
    tk_write_key(w, "a");
    tk_write_any(w, (struct tk_val){&r.doc, 1});
    tk_write_key(w, "b");
    tk_write_any(w, (struct tk_val){&r.doc, 2}); /* a member's value, without its key */
    tk_write_key(w, "c");
    tk_write_any(w, (struct tk_val){&r.doc, 3});
    tk_write_end(w);
    CU_ASSERT_TRUE(wrote(&x, TK_STR("{\"a\":{\"k\":5},\"b\":5,\"c\":\"v\"}")));
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("[{\"k\":5}]")), 0);
    w = writing_init(&x, TK_MSGPACK);
    tk_write_list(w);
    tk_write_any(w, (struct tk_val){&r.doc, 2});
    tk_write_end(w);
    CU_ASSERT_TRUE(wrote(&x, TK_STR("\xdd\x00\x00\x00\x01\x05")));
    CU_ASSERT_TRUE(reading_done(&r));
}

TAP_MAIN("writer", TAP_TEST(test_everything_in_json), TAP_TEST(test_everything_in_msgpack),
         TAP_TEST(test_scalars_as_documents), TAP_TEST(test_deepest_nesting),
         TAP_TEST(test_strings_in_json), TAP_TEST(test_a_lone_surrogate_in_msgpack_keeps_its_bytes),
         TAP_TEST(test_sizes_of_strings_in_msgpack), TAP_TEST(test_reals),
         TAP_TEST(test_reals_whatever_the_locale), TAP_TEST(test_random_reals_read_back),
         TAP_TEST(test_values_keep_their_bytes), TAP_TEST(test_json_to_msgpack),
         TAP_TEST(test_escaped_strings_in_msgpack), TAP_TEST(test_parts_in_the_other_codec))
