/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../tap.h"

/* One document in both codecs. */
static const struct tk_str json =
    TK_STR("{\"s\":\"x\\u00e9\\n\",\"\\u0061\":[1,-2,true,null],\"e\":{},\"\":\"\",\"r\":1.5}");
static const struct tk_str msgpack =
    TK_STR("\x85\xa1s\xa4x\xc3\xa9\n\xa1"
           "a\x94\x01\xfe\xc3\xc0\xa1"
           "e\x80\xa0\xa0\xa1r\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00");

static void with_both(void (*check)(struct tk_val root, struct tk_arena *arena))
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, json), 0);
    check(tk_root(&r.doc), &r.arena);
    CU_ASSERT_EQUAL_FATAL(reading_msgpack(&r, msgpack), 0);
    check(tk_root(&r.doc), &r.arena);
    CU_ASSERT_TRUE(reading_done(&r));
}

static void check_walk(struct tk_val root, struct tk_arena *arena)
{
    static const char *const keys[] = {"s", "a", "e", "", "r"};
    size_t i = 0;

    for (struct tk_val e = tk_first(root); tk_exists(e); e = tk_after(root, e))
        CU_ASSERT(tk_str_is(tk_key(e, arena), keys[i++]));
    CU_ASSERT_EQUAL(i, 5);
    CU_ASSERT_EQUAL(tk_count(root), 5);
    CU_ASSERT_EQUAL(tk_count(tk_get(root, TK_STR("a"))), 4);
    CU_ASSERT_EQUAL(tk_count(tk_get(root, TK_STR("e"))), 0);
    CU_ASSERT_EQUAL(tk_count(tk_get(root, TK_STR("s"))), 0);
    CU_ASSERT_EQUAL(tk_count(TK_NO_VAL), 0);
    CU_ASSERT_FALSE(tk_exists(tk_first(tk_get(root, TK_STR("e")))));
    CU_ASSERT_FALSE(tk_exists(tk_first(tk_get(root, TK_STR("r")))));
    CU_ASSERT_FALSE(tk_exists(tk_first(TK_NO_VAL)));
}

static void test_walking(void)
{
    with_both(check_walk);
}

static void check_get(struct tk_val root, struct tk_arena *arena)
{
    struct tk_val a = tk_get(root, TK_STR("a"));

    (void)arena;
    CU_ASSERT(tk_is(a, TK_ARRAY));
    CU_ASSERT_TRUE(tk_key_is(a, TK_STR("a")));
    CU_ASSERT_FALSE(tk_key_is(a, TK_STR("b")));
    CU_ASSERT_FALSE(tk_key_is(a, TK_STR("ab")));
    CU_ASSERT_FALSE(tk_key_is(tk_first(a), TK_STR("")));
    CU_ASSERT_FALSE(tk_key_is(root, TK_STR("")));
    CU_ASSERT_FALSE(tk_key_is(TK_NO_VAL, TK_STR("")));
    CU_ASSERT_TRUE(tk_exists(tk_get(root, TK_STR(""))));
    CU_ASSERT_FALSE(tk_exists(tk_get(root, TK_STR("x"))));
    CU_ASSERT_FALSE(tk_exists(tk_get(a, TK_STR("a"))));
    CU_ASSERT_FALSE(tk_exists(tk_get(TK_NO_VAL, TK_STR("a"))));
    CU_ASSERT_FALSE(tk_is(TK_NO_VAL, TK_NULL));
}

static void test_members(void)
{
    with_both(check_get);
}

/* Names of every length, each against names that differ in one byte. */
static void test_members_by_names_of_every_length(void)
{
    for (size_t n = 1; n < 40; n++) {
        char key[64], text[256];
        struct reading r;
        struct tk_val root;

        memset(key, 'k', n);
        key[n] = 0;
        snprintf(text, sizeof(text), "{\"x%s\":1,\"%s\":2,\"%sx\":3}", key, key, key);
        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(text)), 0);
        root = tk_root(&r.doc);
        for (size_t i = 0; i < n; i++) {
            CU_ASSERT_EQUAL(tk_get(root, (struct tk_str){key, n}).node, 2);
            key[i] = 'K';
            CU_ASSERT_FALSE(tk_exists(tk_get(root, (struct tk_str){key, n})));
            key[i] = 'k';
        }
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

static void check_pick(struct tk_val root, struct tk_arena *arena)
{
    static const struct tk_str names[] = {{"r", 1}, {"missing", 7}, {"a", 1}, {"s", 1}};
    struct tk_val picked[4];

    (void)arena;
    tk_pick(root, names, 4, picked);
    CU_ASSERT_TRUE(tk_is(picked[0], TK_REAL));
    CU_ASSERT_FALSE(tk_exists(picked[1]));
    CU_ASSERT_TRUE(tk_is(picked[2], TK_ARRAY));
    CU_ASSERT_TRUE(tk_is(picked[3], TK_STRING));
    tk_pick(picked[2], names, 4, picked);
    for (size_t i = 0; i < 4; i++)
        CU_ASSERT_FALSE(tk_exists(picked[i]));
    tk_pick(TK_NO_VAL, names, 4, picked);
    CU_ASSERT_FALSE(tk_exists(picked[0]));
}

static void test_several_members_at_once(void)
{
    with_both(check_pick);
}

static void check_text(struct tk_val root, struct tk_arena *arena)
{
    struct tk_val s = tk_get(root, TK_STR("s")), empty = tk_get(root, TK_STR(""));

    CU_ASSERT(tk_str_is(tk_text(s, arena), "x\xc3\xa9\n"));
    CU_ASSERT_TRUE(tk_text_is(s, TK_STR("x\xc3\xa9\n")));
    CU_ASSERT_FALSE(tk_text_is(s, TK_STR("x\xc3\xa9")));
    CU_ASSERT_FALSE(tk_text_is(s, TK_STR("x\xc3\xa9\n\n")));
    CU_ASSERT_FALSE(tk_text_is(root, TK_STR("")));
    CU_ASSERT_FALSE(tk_text_is(TK_NO_VAL, TK_STR("")));
    CU_ASSERT_TRUE(tk_text_is(empty, TK_STR("")));
    CU_ASSERT_PTR_NOT_NULL(tk_text(empty, arena).p); /* there, but empty */
    CU_ASSERT_PTR_NOT_NULL(tk_key(empty, arena).p);
    CU_ASSERT_PTR_NULL(tk_text(root, arena).p);
    CU_ASSERT_PTR_NULL(tk_text(TK_NO_VAL, arena).p);
    CU_ASSERT_PTR_NULL(tk_key(root, arena).p);
    CU_ASSERT_PTR_NULL(tk_key(TK_NO_VAL, arena).p);
    CU_ASSERT_PTR_NULL(tk_raw(root).p);
    CU_ASSERT_PTR_NULL(tk_raw_key(root).p);
}

static void test_text(void)
{
    with_both(check_text);
}

static void test_raw(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, json), 0);
    CU_ASSERT(tk_str_is(tk_raw(tk_get(tk_root(&r.doc), TK_STR("s"))), "x\\u00e9\\n"));
    CU_ASSERT(tk_str_is(tk_raw_key(tk_get(tk_root(&r.doc), TK_STR("a"))), "\\u0061"));
    CU_ASSERT(tk_str_is(tk_span(tk_get(tk_root(&r.doc), TK_STR("a"))), "[1,-2,true,null]"));
    /* Each width of header. */
    CU_ASSERT_EQUAL_FATAL(reading_msgpack(&r, TK_STR("\x99\xa1"
                                                     "a\xd9\x01"
                                                     "b\xda\x00\x01"
                                                     "c\xdb\x00\x00\x00\x01"
                                                     "d\xc4\x01"
                                                     "e\xc5\x00\x01"
                                                     "f\xc6\x00\x00\x00\x01"
                                                     "g\xc7\x01\x05h\xd4\x05i")),
                          0);
    {
        static const char *const wants[] = {"a", "b", "c", "d", "e", "f", "g", "\x05h", "\x05i"};
        size_t i = 0;
        struct tk_val root = tk_root(&r.doc);

        for (struct tk_val e = tk_first(root); tk_exists(e); e = tk_after(root, e))
            CU_ASSERT(tk_str_is(tk_raw(e), wants[i++]));
        CU_ASSERT_EQUAL(i, 9);
        CU_ASSERT_PTR_NULL(tk_text((struct tk_val){&r.doc, 5}, &r.arena).p); /* bin is no text */
    }
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_unescaping(void)
{
    static const struct {
        struct tk_str json, text;
    } rows[] = {
        {TK_STR("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\""), TK_STR("\"\\/\b\f\n\r\t")},
        {TK_STR("\"\\u0041\\u007f\""), TK_STR("A\x7f")},
        {TK_STR("\"\\u0080\\u07ff\""), TK_STR("\xc2\x80\xdf\xbf")},
        {TK_STR("\"\\u0800\\uFFFF\""), TK_STR("\xe0\xa0\x80\xef\xbf\xbf")},
        {TK_STR("\"\\ud800\\udc00\\uDBFF\\uDFFF\""), TK_STR("\xf0\x90\x80\x80\xf4\x8f\xbf\xbf")},
        {TK_STR("\"\\ud83d\""), TK_STR("\xed\xa0\xbd")},
        {TK_STR("\"\\ude00\\ud83d\""), TK_STR("\xed\xb8\x80\xed\xa0\xbd")},
        {TK_STR("\"\\ud83d\\ud83d\\ude00\""), TK_STR("\xed\xa0\xbd\xf0\x9f\x98\x80")},
        {TK_STR("\"\\ud83dx\\ude00\""), TK_STR("\xed\xa0\xbdx\xed\xb8\x80")},
        {TK_STR("\"\\ud83d\\n\""), TK_STR("\xed\xa0\xbd\n")},
        {TK_STR("\"a\\u0000b\""), TK_STR("a\0b")},
        {TK_STR("\"\\\\u0041\""), TK_STR("\\u0041")},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL(reading_json(&r, rows[i].json), 0);
        CU_ASSERT_TRUE(tk_str_eq(tk_text(tk_root(&r.doc), &r.arena), rows[i].text));
        CU_ASSERT_TRUE(tk_text_is(tk_root(&r.doc), rows[i].text));
        CU_ASSERT_FALSE(
            tk_text_is(tk_root(&r.doc), (struct tk_str){rows[i].text.p, rows[i].text.n - 1}));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

static void test_blank_strings(void)
{
    static const struct {
        struct tk_str bytes;
        bool blank;
    } rows[] = {
        {TK_STR("\"\""), true},
        {TK_STR("\" \\n\\t\\u2003 \\u00A0\""), true},
        {TK_STR("\"\xe3\x80\x80\\r\""), true},
        {TK_STR("\"\\n\\nx\""), false},
        {TK_STR("\"\\n\\\\\""), false},
        {TK_STR("\" \\u200b\""), false},
        {TK_STR("\"\\ud83d\\ude00\""), false},
        {TK_STR("\"\\n\\ud83d\""), false},
        {TK_STR("null"), false},
        {TK_STR("[]"), false},
        {TK_STR("\x91\xa2 \n"), false}, /* a list; its element is blank */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool is_json = rows[i].bytes.p[0] >= 0x20;
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL((is_json ? reading_json : reading_msgpack)(&r, rows[i].bytes), 0);
        CU_ASSERT_EQUAL(tk_text_is_blank(tk_root(&r.doc)), rows[i].blank);
        if (!is_json)
            CU_ASSERT_TRUE(tk_text_is_blank(tk_first(tk_root(&r.doc))));
        CU_ASSERT_TRUE(reading_done(&r));
    }
    CU_ASSERT_FALSE(tk_text_is_blank(TK_NO_VAL));
}

static void test_integers(void)
{
    static const struct {
        struct tk_str bytes;
        bool fits;
        int64_t value;
    } rows[] = {
        {TK_STR("0"), true, 0},
        {TK_STR("-0"), true, 0},
        {TK_STR("-1"), true, -1},
        {TK_STR("9223372036854775807"), true, INT64_MAX},
        {TK_STR("-9223372036854775808"), true, INT64_MIN},
        {TK_STR("9223372036854775808"), false, 0},
        {TK_STR("-9223372036854775809"), false, 0},
        {TK_STR("100000000000000000000"), false, 0},
        {TK_STR("1.0"), false, 0},
        {TK_STR("1e3"), false, 0},
        {TK_STR("\"1\""), false, 0},
        {TK_STR("true"), false, 0},
        {TK_STR("\x7f"), true, 127},
        {TK_STR("\xff"), true, -1},
        {TK_STR("\xe0"), true, -32},
        {TK_STR("\xcc\xff"), true, 255},
        {TK_STR("\xcd\xff\xff"), true, 65535},
        {TK_STR("\xce\xff\xff\xff\xff"), true, 4294967295},
        {TK_STR("\xcf\x7f\xff\xff\xff\xff\xff\xff\xff"), true, INT64_MAX},
        {TK_STR("\xcf\x80\x00\x00\x00\x00\x00\x00\x00"), false, 0},
        {TK_STR("\xd0\x80"), true, -128},
        {TK_STR("\xd0\x7f"), true, 127},
        {TK_STR("\xd1\x80\x00"), true, -32768},
        {TK_STR("\xd2\x80\x00\x00\x00"), true, INT32_MIN},
        {TK_STR("\xd3\x80\x00\x00\x00\x00\x00\x00\x00"), true, INT64_MIN},
        {TK_STR("\xca\x3f\x80\x00\x00"), false, 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        bool is_json = rows[i].bytes.p[0] >= '"' && rows[i].bytes.p[0] < 0x7f;
        struct reading r;
        int64_t n = 77;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL((is_json ? reading_json : reading_msgpack)(&r, rows[i].bytes), 0);
        CU_ASSERT_EQUAL(tk_int64(tk_root(&r.doc), &n), rows[i].fits);
        CU_ASSERT_EQUAL(n, rows[i].fits ? rows[i].value : 77);
        CU_ASSERT_TRUE(reading_done(&r));
    }
    {
        int64_t n = 77;

        CU_ASSERT_FALSE(tk_int64(TK_NO_VAL, &n));
    }
}

/* ---- a key that is watched for ---- */

/* Checks for each child of a list if a member "key" may be in it. */
static void expect_watched(struct tk_val list, const char *expected)
{
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        CU_ASSERT_EQUAL(tk_may_be_watched(v), *expected++ == '1');
    CU_ASSERT_EQUAL(*expected, '\0');
}

static void test_watched_key(void)
{
    static const struct {
        const char *json, *may_be;
    } rows[] = {
        {"[{\"kez\":1},\"key\",{},1]", "0000"},
        {"[1,{\"key\":1},2]", "010"},
        {"[1,{\"a\":[{\"key\":1}]},2]", "010"},
        {"[1,{\"k\\u0065y\":1},2]", "010"}, /* escaped keys may be any */
        {"[1,{\"key\":{}},{},{\"a\":{\"key\":0}},{}]", "01110"},
    };
    struct reading r;

    reading_init(&r);
    r.doc.watched = TK_STR("key");
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i].json)), 0);
        expect_watched(tk_root(&r.doc), rows[i].may_be);
    }
    CU_ASSERT_EQUAL_FATAL(reading_msgpack(&r, TK_STR("\x93\x81\xa3kez\x01\x81\xa3key\x01\x80")), 0);
    expect_watched(tk_root(&r.doc), "010");
    r.doc.watched = (struct tk_str){NULL, 0};
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("[1,{\"\":2}]")), 0);
    expect_watched(tk_root(&r.doc), "11");
    CU_ASSERT_TRUE(reading_done(&r));
}

TAP_MAIN("doc", TAP_TEST(test_walking), TAP_TEST(test_members),
         TAP_TEST(test_members_by_names_of_every_length), TAP_TEST(test_several_members_at_once),
         TAP_TEST(test_text), TAP_TEST(test_raw), TAP_TEST(test_unescaping),
         TAP_TEST(test_blank_strings), TAP_TEST(test_watched_key), TAP_TEST(test_integers))
