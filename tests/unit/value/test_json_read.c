/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../json_table.h"
#include "../tap.h"

#include <stdlib.h>

static void test_table(void)
{
    CU_ASSERT(json_table_size >= 150);
    for (size_t i = 0; i < json_table_size; i++) {
        const struct json_row *row = &json_table[i];
        /* A block of exactly the document's size, so that sanitizers see a step beyond it. */
        char *copy = malloc(row->text.n);
        struct reading r;
        int result;

        memcpy(copy, row->text.p, row->text.n);
        reading_init(&r);
        result = reading_json(&r, (struct tk_str){copy, row->text.n});
        if (result != row->result || (result != 0 && r.error.offset != row->offset)) {
            printf("# %s: %.*s\n", row->why, (int)row->text.n, row->text.p);
            CU_FAIL("the reader judges otherwise than the table");
        }
        if (result == 0) {
            const char *broken = broken_tape(&r.doc);

            CU_ASSERT_PTR_NULL(broken);
            CU_ASSERT_EQUAL(r.doc.has_surrogate, row->differs == LONE_SURROGATE);
        } else {
            CU_ASSERT_EQUAL(r.doc.count, 0);
            CU_ASSERT_PTR_NOT_NULL(r.error.what);
        }
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
}

/* No row is accepted, or read beyond its end, when it is cut anywhere. */
static void test_table_cut_everywhere(void)
{
    for (size_t i = 0; i < json_table_size; i++) {
        struct tk_str text = json_table[i].text;

        for (size_t n = 0; n < text.n; n++) {
            char *copy = malloc(n + 1);
            struct reading r;
            int result;

            memcpy(copy + 1, text.p, n);
            reading_init(&r);
            result = reading_json(&r, (struct tk_str){copy + 1, n});
            CU_ASSERT(result >= 0);
            CU_ASSERT(result == 0 || r.error.offset <= n);
            if (result == 0)
                CU_ASSERT(text.p[0] != '[' && text.p[0] != '{' ? true : n >= 2);
            CU_ASSERT_TRUE(reading_done(&r));
            free(copy);
        }
    }
}

struct node_row {
    enum tk_kind kind;
    uint32_t off, len, next, key, key_len, flags;
};

static void check_tape(struct tk_str text, const struct node_row *rows, uint32_t n)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, text), 0);
    CU_ASSERT_EQUAL_FATAL(r.doc.count, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct tk_node *node = &r.doc.nodes[i];

        CU_ASSERT_EQUAL(node->kind, rows[i].kind);
        CU_ASSERT_EQUAL(node->off, rows[i].off);
        CU_ASSERT_EQUAL(node->len, rows[i].len);
        CU_ASSERT_EQUAL(node->next, rows[i].next);
        CU_ASSERT_EQUAL(node->key, rows[i].key);
        CU_ASSERT_EQUAL(node->key_len, rows[i].key_len);
        CU_ASSERT_EQUAL(node->flags, rows[i].flags);
    }
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_tape_of_the_header_s_example(void)
{
    static const struct node_row rows[] = {
        {TK_OBJECT, 0, 26, 5, 0, 0, 0}, {TK_ARRAY, 6, 9, 4, 2, 1, 0},    {TK_INT, 7, 1, 3, 0, 0, 0},
        {TK_TRUE, 10, 4, 4, 0, 0, 0},   {TK_STRING, 22, 3, 5, 18, 1, 0},
    };

    check_tape(TK_STR("{\"a\": [1, true], \"b\": \"x\"}"), rows, 5);
}

static void test_tape_of_scalars_and_flags(void)
{
    static const struct node_row rows[] = {
        {TK_OBJECT, 1, 57, 8, 0, 0, 0},
        {TK_NULL, 6, 4, 2, 3, 0, 0},
        {TK_REAL, 18, 3, 3, 12, 4, TK_NODE_KEY_ESCAPED},
        {TK_STRING, 26, 4, 4, 23, 1, TK_NODE_ESCAPED},
        {TK_ARRAY, 35, 22, 8, 32, 1, 0},
        {TK_STRING, 36, 8, 6, 0, 0, TK_NODE_ESCAPED | TK_NODE_SURROGATE},
        {TK_FALSE, 45, 5, 7, 0, 0, 0},
        {TK_INT, 51, 5, 8, 0, 0, 0},
    };

    check_tape(
        TK_STR(" {\"\": null,\"\\\\\\/\":1.5,\"c\":\"\\n\",\"d\":[\"\\ud800\",false,12345]} "),
        rows, 8);
}

static void test_tape_of_a_lone_surrogate_in_a_key(void)
{
    static const struct node_row rows[] = {
        {TK_OBJECT, 0, 12, 2, 0, 0, 0},
        {TK_INT, 10, 1, 2, 2, 6, TK_NODE_KEY_ESCAPED | TK_NODE_SURROGATE},
    };

    check_tape(TK_STR("{\"\\udfff\":1}"), rows, 2);
}

/* ---- limits ---- */

/* n times one text, then n times another. */
static struct tk_str repeated(const char *open, size_t n, const char *middle, const char *close)
{
    size_t a = strlen(open), b = strlen(middle), c = strlen(close);
    char *text = malloc(n * (a + c) + b + 1);

    for (size_t i = 0; i < n; i++) {
        memcpy(text + i * a, open, a);
        memcpy(text + n * a + b + i * c, close, c);
    }
    memcpy(text + n * a, middle, b);
    return (struct tk_str){text, n * (a + c) + b};
}

static int read_limited(struct reading *r, struct tk_str text, uint32_t depth, uint32_t values)
{
    reading_init(r);
    r->limits.max_depth = depth;
    r->limits.max_values = values;
    return reading_json(r, text);
}

static void test_depth_at_and_beyond_the_limit(void)
{
    struct tk_str at = repeated("[", 256, "1", "]"), beyond = repeated("[", 257, "", "]");
    struct reading r;

    CU_ASSERT_EQUAL(read_limited(&r, at, 256, 1000), 0);
    CU_ASSERT_PTR_NULL(broken_tape(&r.doc));
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, beyond, 256, 1000), TK_READ_TOO_DEEP);
    CU_ASSERT_EQUAL(r.error.offset, 256);
    CU_ASSERT_EQUAL(r.error.pointer.n, 2 * 255);
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("{\"a\":[{}]}"), 2, 1000), TK_READ_TOO_DEEP);
    CU_ASSERT_EQUAL(r.error.offset, 6);
    CU_ASSERT(tk_str_is(r.error.pointer, "/a"));
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("[[],[],{}]"), 2, 1000), 0);
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("1"), 0, 1), 0); /* a scalar has no depth */
    CU_ASSERT_TRUE(reading_done(&r));
    free((void *)(uintptr_t)at.p);
    free((void *)(uintptr_t)beyond.p);
}

static void test_million_nested_arrays(void)
{
    struct tk_str text = repeated("[", 1000000, "", "]");
    struct reading r;

    CU_ASSERT_EQUAL(read_limited(&r, text, 256, 1 << 20), TK_READ_TOO_DEEP);
    CU_ASSERT(r.memory.peak < 65536);
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, text, UINT32_MAX, 1 << 20), 0); /* no recursion anywhere */
    CU_ASSERT_EQUAL(r.doc.count, 1000000);
    CU_ASSERT_TRUE(reading_done(&r));
    text.n = 999999;
    CU_ASSERT_EQUAL(read_limited(&r, text, UINT32_MAX, 1 << 20), TK_READ_PARSE_ERROR);
    CU_ASSERT_TRUE(reading_done(&r));
    free((void *)(uintptr_t)text.p);
}

static void test_values_at_and_beyond_the_limit(void)
{
    struct reading r;

    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("[1,{\"a\":2},3]"), 9, 5), 0);
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("[1,{\"a\":2},3]"), 9, 4), TK_READ_TOO_MANY_VALUES);
    CU_ASSERT_EQUAL(r.error.offset, 11);
    CU_ASSERT(tk_str_is(r.error.pointer, ""));
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("[1,{\"a\":2},3]"), 9, 3), TK_READ_TOO_MANY_VALUES);
    CU_ASSERT(tk_str_is(r.error.pointer, "/1"));
    CU_ASSERT_TRUE(reading_done(&r));
    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("1"), 9, 0), TK_READ_TOO_MANY_VALUES);
    CU_ASSERT_TRUE(reading_done(&r));
}

/* Memory is for values that are there, not for what a limit would allow. */
static void test_tape_grows_with_the_document(void)
{
    struct tk_str text = repeated("0,", 100000, "", "");
    struct reading r;
    char *p = malloc(text.n + 2);

    CU_ASSERT_EQUAL(read_limited(&r, TK_STR("[1,2,3]"), 9, UINT32_MAX), 0);
    CU_ASSERT(r.memory.peak <= 8192);
    CU_ASSERT_TRUE(reading_done(&r));
    p[0] = '[';
    memcpy(p + 1, text.p, text.n);
    p[text.n] = ']';
    CU_ASSERT_EQUAL(read_limited(&r, (struct tk_str){p, text.n + 1}, 9, UINT32_MAX), 0);
    CU_ASSERT_EQUAL(r.doc.count, 100001);
    CU_ASSERT(r.memory.peak <= 2 * 131072 * sizeof(struct tk_node));
    {
        /* The tape is kept for the next document. */
        size_t calls = r.memory.calls;

        CU_ASSERT_EQUAL(reading_json(&r, TK_STR("[1,2,3]")), 0);
        CU_ASSERT_EQUAL(r.memory.calls, calls);
    }
    CU_ASSERT_TRUE(reading_done(&r));
    free((void *)(uintptr_t)text.p);
    free(p);
}

/* ---- duplicate keys ---- */

static void check_refusal(const char *text, int result, size_t offset, const char *pointer)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL(reading_json(&r, tk_str_of(text)), result);
    CU_ASSERT_EQUAL(r.error.offset, offset);
    if (!tk_str_is(r.error.pointer, pointer)) {
        printf("# %s: %.*s instead of %s\n", text, (int)r.error.pointer.n, r.error.pointer.p,
               pointer);
        CU_FAIL("another pointer");
    }
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_pointers_of_refusals(void)
{
    check_refusal("{\"params\":{\"messages\":[{\"role\":1,\"role\":2}]}}", TK_READ_DUPLICATE_KEY,
                  33, "/params/messages/0/role");
    check_refusal("[0,[0,{\"a/b\":{\"~\":1,\"\\u007e\":2}}]]", TK_READ_DUPLICATE_KEY, 20,
                  "/1/1/a~1b/~0");
    check_refusal("{\"\":{\"\":1,\"\":2}}", TK_READ_DUPLICATE_KEY, 10, "//");
    check_refusal("{\"a\":[1,2,{\"b\":tru}]}", TK_READ_PARSE_ERROR, 18, "/a/2");
    check_refusal("{\"a\":[[1,2],[3", TK_READ_PARSE_ERROR, 14, "/a/1");
    check_refusal("{\"a\":1} x", TK_READ_TRAILING_BYTES, 8, "");
    check_refusal("{\"\\u00e9\\n\":[", TK_READ_PARSE_ERROR, 13, "/\xc3\xa9\n");
    check_refusal("{\"a\":1,", TK_READ_PARSE_ERROR, 7, "");
}

/* Objects of every size around the step from pairs to a table, and around the table's sizes. */
static void test_duplicates_in_objects_of_every_size(void)
{
    for (size_t n = 2; n < 300; n += n < 20 ? 1 : 31) {
        for (size_t twin = 1; twin < n; twin += n < 20 ? 1 : 17) {
            char text[8192];
            size_t at = (size_t)sprintf(text, "{"), want = 0;
            char pointer[32];

            for (size_t i = 0; i < n; i++) {
                size_t key = i == twin ? twin / 2 : i;

                if (i == twin)
                    want = at + (i > 0);
                at += (size_t)sprintf(text + at,
                                      i % 3 ? "%s\"key%zu\":%zu" : "%s\"\\u006bey%zu\":%zu",
                                      i > 0 ? "," : "", key, i);
            }
            sprintf(text + at, "}");
            sprintf(pointer, "/key%zu", twin / 2);
            check_refusal(text, TK_READ_DUPLICATE_KEY, want, pointer);
        }
    }
}

/* Nothing is forgotten of an object's keys while a value inside of it is read. */
static void test_duplicates_at_every_depth(void)
{
    for (size_t depth = 0; depth < 80; depth++) {
        char text[300], pointer[300] = "";
        size_t at = depth;

        memset(text, '[', depth);
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "{\"a\":[{\"x\":[]}],\"b\":{\"a\":1},\"a\":2}");
        memset(text + at, ']', depth);
        text[at + depth] = 0;
        for (size_t i = 0; i < depth; i++)
            strcat(pointer, "/0");
        check_refusal(text, TK_READ_DUPLICATE_KEY, depth + 28, strcat(pointer, "/a"));
    }
}

static void test_long_keys(void)
{
    /* Lengths that the node can't hold, and the last it can. */
    static const size_t lengths[] = {65533, 65534, 65535, 65536, 70000, 200000};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        size_t n = lengths[i];
        char *text = malloc(2 * n + 100);
        struct reading r;
        size_t at;
        char *key = malloc(n + 1);

        memset(key, 'k', n);
        key[n] = 0;
        at = (size_t)sprintf(text, "{\"%s\" \n: 1,\"%s2\":2}", key, key);
        reading_init(&r);
        CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, at}), 0);
        CU_ASSERT_EQUAL(tk_raw_key(tk_first(tk_root(&r.doc))).n, n);
        CU_ASSERT(tk_exists(tk_get(tk_root(&r.doc), (struct tk_str){key, n})));
        CU_ASSERT_PTR_NULL(broken_tape(&r.doc));
        CU_ASSERT_PTR_NULL(broken_round_trip(&r.doc));
        at = (size_t)sprintf(text, "{\"%s\":1,\"%s\":2}", key, key);
        CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, at}), TK_READ_DUPLICATE_KEY);
        CU_ASSERT_EQUAL(r.error.offset, n + 6);
        CU_ASSERT_TRUE(reading_done(&r));
        free(text);
        free(key);
    }
}

static void test_hundred_thousand_keys(void)
{
    enum {
        KEYS = 100000
    };
    const size_t room = KEYS * 20;
    char *text = malloc(room);
    size_t at = (size_t)snprintf(text, room, "{");
    struct reading r;

    for (int i = 0; i < KEYS; i++)
        at += (size_t)snprintf(text + at, room - at, "%s\"k%d\":0", i > 0 ? "," : "", i);
    snprintf(text + at, room - at, "}");
    reading_init(&r);
    CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, at + 1}), 0);
    CU_ASSERT_TRUE(reading_done(&r));
    reading_init(&r);
    snprintf(text + at, room - at, ",\"k77777\":1}");
    CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, at + 12}), TK_READ_DUPLICATE_KEY);
    CU_ASSERT(tk_str_is(r.error.pointer, "/k77777"));
    CU_ASSERT_EQUAL(r.error.offset, at + 1);
    CU_ASSERT_TRUE(reading_done(&r));
    free(text);
}

/* ---- choosing a codec ---- */

static void test_codec_of(void)
{
    static const struct {
        struct tk_str text;
        int codec; /* -1: neither */
    } rows[] = {
        {TK_STR("{"), TK_JSON},
        {TK_STR(" \t\r\n["), TK_JSON},
        {TK_STR("\x80"), TK_MSGPACK},
        {TK_STR("\x8f"), TK_MSGPACK},
        {TK_STR("\x90"), TK_MSGPACK},
        {TK_STR("\x9f"), TK_MSGPACK},
        {TK_STR("\xdc"), TK_MSGPACK},
        {TK_STR("\xdf"), TK_MSGPACK},
        {TK_STR("\xa0"), -1},
        {TK_STR("\xdb"), -1},
        {TK_STR("\xe0"), -1},
        {TK_STR("\x7f"), -1},
        {TK_STR("1"), -1},
        {TK_STR("\"a\""), -1},
        {TK_STR("null"), -1},
        {TK_STR(""), -1},
        {TK_STR("  "), -1},
        {TK_STR(" \x80"), -1},
        {TK_STR("\xef\xbb\xbf{}"), -1},
        {TK_STR("\0{"), -1},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        enum tk_codec codec = TK_JSON;
        bool known = tk_codec_of(rows[i].text.p, rows[i].text.n, &codec);

        CU_ASSERT_EQUAL(known ? (int)codec : -1, rows[i].codec);
    }
}

static void test_doc_read_chooses(void)
{
    struct reading r;
    enum {
        OK = 0
    };
    static const struct {
        struct tk_str text;
        int result;
    } rows[] = {
        {TK_STR("{\"a\":1}"), TK_READ_OK},
        {TK_STR("\x81\xa1"
                "a\x01"),
         TK_READ_OK},
        {TK_STR(""), TK_READ_PARSE_ERROR},
        {TK_STR("1"), TK_READ_CODEC_UNKNOWN},
        {TK_STR("  "), TK_READ_CODEC_UNKNOWN},
        {TK_STR("\xef\xbb\xbf[]"), TK_READ_CODEC_UNKNOWN},
        {TK_STR("[1"), TK_READ_PARSE_ERROR},
        {TK_STR("\x91"), TK_READ_PARSE_ERROR},
        {TK_STR("\x90\x90"), TK_READ_TRAILING_BYTES},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        reading_init(&r);
        CU_ASSERT_EQUAL(
            tk_doc_read(&r.doc, rows[i].text.p, rows[i].text.n, &r.limits, &r.arena, &r.error),
            rows[i].result);
        if (rows[i].result == TK_READ_OK)
            CU_ASSERT(tk_exists(tk_get(tk_root(&r.doc), TK_STR("a"))));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

static void test_generated_documents(void)
{
    uint64_t seed = 42;

    for (int i = 0; i < 2000; i++) {
        struct reading r;
        struct tk_str text;
        const char *broken;

        reading_init(&r);
        text = generate_json(&seed, &r.arena);
        if (reading_json(&r, text) != 0) {
            printf("# %s at %zu: %.*s\n", r.error.what, r.error.offset, (int)text.n, text.p);
            CU_FAIL_FATAL("a generated document is refused");
        }
        broken = broken_tape(&r.doc);
        if (!broken)
            broken = broken_round_trip(&r.doc);
        if (broken) {
            printf("# %s: %.*s\n", broken, (int)text.n, text.p);
            CU_FAIL_FATAL("what always holds doesn't");
        }
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

TAP_MAIN("json_read", TAP_TEST(test_table), TAP_TEST(test_table_cut_everywhere),
         TAP_TEST(test_tape_of_the_header_s_example), TAP_TEST(test_tape_of_scalars_and_flags),
         TAP_TEST(test_tape_of_a_lone_surrogate_in_a_key),
         TAP_TEST(test_depth_at_and_beyond_the_limit), TAP_TEST(test_million_nested_arrays),
         TAP_TEST(test_values_at_and_beyond_the_limit), TAP_TEST(test_tape_grows_with_the_document),
         TAP_TEST(test_pointers_of_refusals), TAP_TEST(test_duplicates_in_objects_of_every_size),
         TAP_TEST(test_duplicates_at_every_depth), TAP_TEST(test_long_keys),
         TAP_TEST(test_hundred_thousand_keys), TAP_TEST(test_codec_of),
         TAP_TEST(test_doc_read_chooses), TAP_TEST(test_generated_documents))
