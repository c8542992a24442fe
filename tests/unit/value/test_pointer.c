/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../tap.h"
#include "value/pointer.h"

/* The document of RFC 6901, section 5. */
static const struct tk_str rfc =
    TK_STR("{\"foo\": [\"bar\", \"baz\"], \"\": 0, \"a/b\": 1, \"c%d\": 2, \"e^f\": 3, \"g|h\": 4, "
           "\"i\\\\j\": 5, \"k\\\"l\": 6, \" \": 7, \"m~n\": 8}");

static void test_the_rfc_s_examples(void)
{
    static const struct {
        const char *pointer, *value;
    } rows[] = {
        {"/foo", "[\"bar\", \"baz\"]"},
        {"/foo/0", "\"bar\""},
        {"/", "0"},
        {"/a~1b", "1"},
        {"/c%d", "2"},
        {"/e^f", "3"},
        {"/g|h", "4"},
        {"/i\\j", "5"},
        {"/k\"l", "6"},
        {"/ ", "7"},
        {"/m~0n", "8"},
    };
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, rfc), 0);
    CU_ASSERT_EQUAL(tk_pointer_get(tk_root(&r.doc), TK_STR(""), &r.arena).node, 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_val v = tk_pointer_get(tk_root(&r.doc), tk_str_of(rows[i].pointer), &r.arena);

        CU_ASSERT_TRUE_FATAL(tk_exists(v));
        CU_ASSERT(tk_str_is(tk_span(v), rows[i].value));
        CU_ASSERT(tk_str_is(tk_pointer_of(v, TK_STR(""), &r.arena), rows[i].pointer));
    }
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_pointers_to_nothing(void)
{
    static const char *const rows[] = {
        "foo",
        "/foo/2",
        "/foo/-",
        "/foo/00",
        "/foo/01",
        "/foo/+1",
        "/foo/1 ",
        "/foo/1/",
        "/foo/0/0",
        "/x",
        "/a",
        "/m~n",
        "/m~",
        "/m~2n",
        "//",
        "/foo/4294967296",
        "/foo/99999999999999999999",
        "/foo/",
        "/FOO",
        "/a~1",
    };
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, rfc), 0);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CU_ASSERT_FALSE(tk_exists(tk_pointer_get(tk_root(&r.doc), tk_str_of(rows[i]), &r.arena)));
    CU_ASSERT_FALSE(tk_exists(tk_pointer_get(TK_NO_VAL, TK_STR("/a"), &r.arena)));
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_prefix_and_tokens(void)
{
    struct reading r;
    struct tk_str p;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("{\"a\":[0,{\"\\u002f~\":1}]}")), 0);
    p = tk_pointer_of((struct tk_val){&r.doc, 4}, TK_STR("/params"), &r.arena);
    CU_ASSERT(tk_str_is(p, "/params/a/1/~1~0"));
    CU_ASSERT(tk_str_is(tk_pointer_of(tk_root(&r.doc), TK_STR("/p"), &r.arena), "/p"));
    CU_ASSERT(tk_str_is(tk_pointer_of(TK_NO_VAL, TK_STR("/p"), &r.arena), "/p"));
    CU_ASSERT(tk_str_is(tk_pointer_add(p, TK_STR("~/x~"), &r.arena), "/params/a/1/~1~0/~0~1x~0"));
    CU_ASSERT(tk_str_is(tk_pointer_add(TK_STR(""), TK_STR(""), &r.arena), "/"));
    CU_ASSERT_TRUE(reading_done(&r));
}

/* For every node of generated documents: the pointer to it leads to it. */
static void test_there_and_back(void)
{
    uint64_t seed = 99;

    for (int i = 0; i < 300; i++) {
        struct reading r;
        int result;

        reading_init(&r);
        result = i % 2 == 0 ? reading_json(&r, generate_json(&seed, &r.arena))
                            : reading_msgpack(&r, generate_msgpack(&seed, &r.arena));
        CU_ASSERT_EQUAL_FATAL(result, 0);
        for (uint32_t node = 0; node < r.doc.count && node < 200; node++) {
            struct tk_val v = {&r.doc, node};
            struct tk_str pointer = tk_pointer_of(v, TK_STR(""), &r.arena);

            CU_ASSERT_EQUAL(tk_pointer_get(tk_root(&r.doc), pointer, &r.arena).node, node);
        }
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

TAP_MAIN("pointer", TAP_TEST(test_the_rfc_s_examples), TAP_TEST(test_pointers_to_nothing),
         TAP_TEST(test_prefix_and_tokens), TAP_TEST(test_there_and_back))
