/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../tap.h"
#include "value/compact.h"

static struct tk_str compact(struct reading *r, struct tk_val v,
                             bool (*skip)(struct tk_val, struct tk_arena *))
{
    struct tk_out out;

    tk_out_init(&out, &r->arena);
    tk_compact_json(&out, v, skip);
    if (!skip)
        CU_ASSERT_EQUAL(tk_compact_size(v), out.size);
    return tk_out_join(&out);
}

static void test_white_space_goes_and_spelling_stays(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {" [ ] ", "[]"},
        {"{ }", "{}"},
        {"[ [ ] , { } , [ [ ] ] ]", "[[],{},[[]]]"},
        {" 1.50e+05 ", "1.50e+05"},
        {"{ \"a b\" : \" c \" , \"\\u0061b\" :\n[ 1 ,\t-0 , 1E5 ] }",
         "{\"a b\":\" c \",\"\\u0061b\":[1,-0,1E5]}"},
        {"[ \"\\/\" , \"\\ud800\" , null,true ,false ]", "[\"\\/\",\"\\ud800\",null,true,false]"},
        {"{\"a\" : {\"b\" : {} , \"c\" : [ ] } , \"d\" : 1}",
         "{\"a\":{\"b\":{},\"c\":[]},\"d\":1}"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i].text)), 0);
        CU_ASSERT(tk_str_is(compact(&r, tk_root(&r.doc), NULL), rows[i].want));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

static void test_part_of_a_document(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("{\"a\": [1, {\"b\": 2}], \"c\": 3}")), 0);
    CU_ASSERT(tk_str_is(compact(&r, (struct tk_val){&r.doc, 1}, NULL), "[1,{\"b\":2}]"));
    CU_ASSERT(tk_str_is(compact(&r, (struct tk_val){&r.doc, 3}, NULL), "{\"b\":2}"));
    CU_ASSERT(tk_str_is(compact(&r, (struct tk_val){&r.doc, 5}, NULL), "3"));
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_msgpack(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(
        reading_msgpack(&r, TK_STR("\x85\xa1"
                                   "a\x9b\x01\xff\xcf\xff\xff\xff\xff\xff\xff\xff\xff\xd3\x80\x00"
                                   "\x00\x00\x00\x00\x00\x00\xca\x3f\x00\x00\x00\xcb\x3f\xb9\x99"
                                   "\x99\x99\x99\x99\x9a\xc0\xc2\xc3\x80\x90\xa1"
                                   "\"\xa8"
                                   "a\"\\\n\x01\xc3\xa9/\xa1"
                                   "e\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00\xa1"
                                   "f\xc4\x01x\xa0\xa0")),
        0);
    CU_ASSERT(tk_str_is(compact(&r, tk_root(&r.doc), NULL),
                        "{\"a\":[1,-1,18446744073709551615,-9223372036854775808,0.5,0.1,null,"
                        "false,true,{},[]],\"\\\"\":\"a\\\"\\\\\\n\\u0001\xc3\xa9/\",\"e\":null,"
                        "\"f\":null,\"\":\"\"}"));
    CU_ASSERT_TRUE(reading_done(&r));
}

static bool skip_x(struct tk_val member, struct tk_arena *arena)
{
    (void)arena;
    return tk_key_is(member, TK_STR("x"));
}

static void test_members_are_skipped(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"{\"x\":1}", "{}"},
        {"{\"x\":1,\"a\":2}", "{\"a\":2}"},
        {"{\"a\":2,\"x\":[1,[2]]}", "{\"a\":2}"},
        {"{\"a\":2,\"\\u0078\":{\"b\":1},\"c\":3}", "{\"a\":2,\"c\":3}"},
        {"[{\"x\":1},{\"x\":1,\"y\":{\"x\":2}},\"x\"]", "[{},{\"y\":{}},\"x\"]"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i].text)), 0);
        CU_ASSERT(tk_str_is(compact(&r, tk_root(&r.doc), skip_x), rows[i].want));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

static void test_deep_documents(void)
{
    char text[2000];
    struct reading r;

    memset(text, '[', 1000);
    memset(text + 1000, ']', 1000);
    reading_init(&r);
    r.limits.max_depth = 1000;
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, (struct tk_str){text, 2000}), 0);
    CU_ASSERT(tk_str_eq(compact(&r, tk_root(&r.doc), NULL), (struct tk_str){text, 2000}));
    CU_ASSERT_TRUE(reading_done(&r));
}

/* Compacted twice is compacted once, and it is the same document. */
static void test_generated_documents(void)
{
    uint64_t seed = 7;

    for (int i = 0; i < 500; i++) {
        struct reading r, again;
        struct tk_str once;
        int result;

        reading_init(&r);
        reading_init(&again);
        result = i % 2 == 0 ? reading_json(&r, generate_json(&seed, &r.arena))
                            : reading_msgpack(&r, generate_msgpack(&seed, &r.arena));
        CU_ASSERT_EQUAL_FATAL(result, 0);
        once = compact(&r, tk_root(&r.doc), NULL);
        CU_ASSERT_EQUAL_FATAL(reading_json(&again, once), 0);
        CU_ASSERT_TRUE(same_value(tk_root(&r.doc), tk_root(&again.doc), &r.arena));
        CU_ASSERT_TRUE(tk_str_eq(compact(&again, tk_root(&again.doc), NULL), once));
        CU_ASSERT_TRUE(reading_done(&again));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

TAP_MAIN("compact", TAP_TEST(test_white_space_goes_and_spelling_stays),
         TAP_TEST(test_part_of_a_document), TAP_TEST(test_msgpack),
         TAP_TEST(test_members_are_skipped), TAP_TEST(test_deep_documents),
         TAP_TEST(test_generated_documents))
