/* SPDX-License-Identifier: Apache-2.0 */
/* Values that are equal as PROVIDERS.md 1.3 means it. */
#include "../../documents.h"
#include "../../tap.h"
#include "providers/common/equal.h"

static const struct tk_str but[] = {TK_STR_INIT("id"), TK_STR_INIT("status"), {NULL, 0}};

/* Two values; if they are equal; and without the members `id` and `status`. */
static const struct {
    const char *a, *b;
    bool equal, equal_but;
} rows[] = {
    {"1", "1", true, true},
    {"1", "1.0", false, false},
    {"\"a\"", "\"\\u0061\"", false, false},
    {"{\"a\":1}", "{ \"a\" : 1 }", true, true},
    {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false, false},
    {"{\"a\":1}", "{\"\\u0061\":1}", false, false},
    {"{\"a\":[1,{\"b\":2}]}", "{\"a\":[1,{\"b\":2}]}", true, true},
    {"{\"a\":[1,{\"b\":2}]}", "{\"a\":[1,{\"b\":3}]}", false, false},
    {"{\"a\":[1,2]}", "{\"a\":[1]}", false, false},
    {"{\"a\":1}", "{\"a\":1,\"b\":2}", false, false},
    {"{\"id\":1,\"a\":1}", "{\"id\":2,\"a\":1}", false, true},
    {"{\"id\":1,\"a\":1}", "{\"a\":1,\"status\":\"x\"}", false, true},
    {"{\"a\":{\"id\":1}}", "{\"a\":{\"id\":2}}", false, false},
    {"{\"id\":1}", "{}", false, true},
    {"{\"id\":1}", "[]", false, false},
};

static bool is_equal(const char *a, const char *b, const struct tk_str *names)
{
    struct reading x, y;
    bool equal;

    reading_init(&x);
    reading_init(&y);
    CU_ASSERT_EQUAL_FATAL(reading_json(&x, tk_str_of(a)), 0);
    CU_ASSERT_EQUAL_FATAL(reading_json(&y, tk_str_of(b)), 0);
    equal = tk_is_equal(tk_root(&x.doc), tk_root(&y.doc), names);
    CU_ASSERT(reading_done(&x));
    CU_ASSERT(reading_done(&y));
    return equal;
}

static void test_spelling_and_order_count(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        CU_ASSERT_EQUAL(is_equal(rows[i].a, rows[i].b, NULL), rows[i].equal);
        CU_ASSERT_EQUAL(is_equal(rows[i].b, rows[i].a, NULL), rows[i].equal);
        CU_ASSERT_EQUAL(is_equal(rows[i].a, rows[i].b, but), rows[i].equal_but);
        CU_ASSERT_EQUAL(is_equal(rows[i].b, rows[i].a, but), rows[i].equal_but);
    }
}

static void test_absent_values(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("{}")), 0);
    CU_ASSERT(tk_is_equal(TK_NO_VAL, TK_NO_VAL, NULL));
    CU_ASSERT_FALSE(tk_is_equal(TK_NO_VAL, tk_root(&r.doc), NULL));
    CU_ASSERT_FALSE(tk_is_equal(tk_root(&r.doc), TK_NO_VAL, but));
    CU_ASSERT(reading_done(&r));
}

TAP_MAIN("equal", TAP_TEST(test_spelling_and_order_count), TAP_TEST(test_absent_values))
