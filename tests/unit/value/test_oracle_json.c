/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jansson as oracle: over the table and over generated and damaged documents both have to accept
 * and refuse the same, and to find the same values. What is known to differ is listed here.
 */
#include "../documents.h"
#include "../json_table.h"
#include "../tap.h"

#include <jansson.h>
#include <stdlib.h>

/* Where jansson 2.14 refuses what we accept, and why that is fine. */
static const struct {
    enum known_difference difference;
    const char *error; /* how jansson's message begins */
    const char *why;
} differences[] = {
    {BIG_INTEGER, "too big", "its integers are long long; we keep the lexeme"},
    {BIG_REAL, "real number overflow", "its reals are doubles; we keep the lexeme"},
    {LONE_SURROGATE, "invalid Unicode", "histories hold them; we keep and report them"},
    {NUL_IN_KEY, "NUL byte in object key", "its keys are C strings"},
};

#define DIFFERENCES (sizeof(differences) / sizeof(differences[0]))

static json_t *load(struct tk_str text, json_error_t *error)
{
    return json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL,
                      error);
}

/* ---- the same values ---- */

static bool same(struct tk_val v, json_t *json, struct tk_arena *arena);

static bool same_members(struct tk_val v, json_t *json, struct tk_arena *arena)
{
    if (tk_count(v) != json_object_size(json))
        return false;
    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e)) {
        struct tk_str key = tk_key(e, arena);
        json_t *member = json_object_getn(json, key.p, key.n);

        if (!member || !same(e, member, arena))
            return false;
    }
    return true;
}

static bool same_elements(struct tk_val v, json_t *json, struct tk_arena *arena)
{
    size_t i = 0;

    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e), i++)
        if (i >= json_array_size(json) || !same(e, json_array_get(json, i), arena))
            return false;
    return i == json_array_size(json);
}

static bool same(struct tk_val v, json_t *json, struct tk_arena *arena)
{
    struct tk_str s;
    int64_t n;

    switch ((enum tk_kind)tk_node(v)->kind) {
    case TK_NULL:
        return json_is_null(json);
    case TK_FALSE:
        return json_is_false(json);
    case TK_TRUE:
        return json_is_true(json);
    case TK_INT:
        return json_is_integer(json) && tk_int64(v, &n) && n == json_integer_value(json);
    case TK_REAL:
        s = tk_arena_printf(arena, "%.*s", (int)tk_span(v).n, tk_span(v).p);
        return json_is_real(json) && strtod(s.p, NULL) - json_real_value(json) == 0;
    case TK_STRING:
        s = tk_text(v, arena);
        return json_is_string(json) && s.n == json_string_length(json) &&
               memcmp(s.p, json_string_value(json), s.n) == 0;
    case TK_ARRAY:
        return json_is_array(json) && same_elements(v, json, arena);
    case TK_OBJECT:
        return json_is_object(json) && same_members(v, json, arena);
    default:
        return false;
    }
}

/* ---- the same judgement ---- */

static bool is_known(enum known_difference difference, const json_error_t *error)
{
    for (size_t i = 0; i < DIFFERENCES; i++)
        if (strncmp(error->text, differences[i].error, strlen(differences[i].error)) == 0)
            return difference == differences[i].difference;
    return false;
}

/*
 * jansson 2.14 loses a NUL byte after a number or literal: it can't put one back into its stream.
 */
static bool lost_nul(struct tk_str text, size_t offset)
{
    return offset > 0 && offset < text.n && text.p[offset] == 0 && text.p[offset - 1] >= '0';
}

/* NULL where both say the same, apart from what may differ; else what doesn't fit. */
static const char *judge(struct tk_str text, enum known_difference difference)
{
    struct reading r;
    json_error_t error;
    json_t *json = load(text, &error);
    int result;
    const char *wrong = NULL;

    reading_init(&r);
    result = reading_json(&r, text);
    if (result == 0 && json)
        wrong = difference != SAME                      ? "the listed difference is gone"
                : same(tk_root(&r.doc), json, &r.arena) ? NULL
                                                        : "another value";
    else if (result == 0)
        wrong = is_known(difference, &error) ? NULL : "only jansson refuses it";
    else if (json)
        wrong = lost_nul(text, r.error.offset) ? NULL : "only we refuse it";
    if (wrong)
        printf("# %s (%s): %.*s\n", wrong, json ? "" : error.text, (int)text.n, text.p);
    json_decref(json);
    CU_ASSERT_TRUE(reading_done(&r));
    return wrong;
}

static void test_table(void)
{
    for (size_t i = 0; i < json_table_size; i++)
        CU_ASSERT_PTR_NULL(judge(json_table[i].text, json_table[i].differs));
}

static void test_generated_documents(void)
{
    uint64_t seed = 2024;

    for (int i = 0; i < 3000; i++) {
        struct tk_arena arena;

        tk_arena_init(&arena, tk_libc_allocator);
        CU_ASSERT_PTR_NULL(judge(generate_json(&seed, &arena), SAME));
        tk_arena_done(&arena);
    }
}

/* Whatever jansson refuses in a damaged document by a listed difference may differ. */
static bool listed(struct tk_str text)
{
    json_error_t error;
    json_t *json = load(text, &error);

    json_decref(json);
    if (json)
        return false;
    for (size_t i = 0; i < DIFFERENCES; i++)
        if (strncmp(error.text, differences[i].error, strlen(differences[i].error)) == 0)
            return true;
    return false;
}

/* Documents with a byte changed, dropped or put in: most of them broken, some of them not. */
static void test_damaged_documents(void)
{
    static const char bytes[] = "\"\\{}[]:,0123456789.eE+-untrfabls/ \n\x80\xc3\xed\xf0\0d";
    uint64_t seed = 77;

    for (int i = 0; i < 10000; i++) {
        struct tk_arena arena;
        struct tk_str text;
        size_t at;
        char *p;

        tk_arena_init(&arena, tk_libc_allocator);
        text = generate_json(&seed, &arena);
        p = tk_arena_alloc(&arena, text.n + 1);
        at = random_below(&seed, (uint32_t)text.n);
        memcpy(p, text.p, at);
        switch (random_below(&seed, 3)) {
        case 0: /* changed */
            memcpy(p + at, text.p + at, text.n - at);
            p[at] = bytes[random_below(&seed, sizeof(bytes) - 1)];
            break;
        case 1: /* dropped */
            memcpy(p + at, text.p + at + 1, text.n - at - 1);
            text.n--;
            break;
        default: /* put in */
            p[at] = bytes[random_below(&seed, sizeof(bytes) - 1)];
            memcpy(p + at + 1, text.p + at, text.n - at);
            text.n++;
            break;
        }
        text.p = p;
        if (!listed(text))
            CU_ASSERT_PTR_NULL(judge(text, SAME));
        tk_arena_done(&arena);
    }
}

/* jansson stops at 2,048 levels whatever we allow. */
static void test_depth(void)
{
    static char text[2 * 2049];
    struct reading r;
    json_error_t error;
    json_t *json;

    memset(text, '[', 2049);
    memset(text + 2049, ']', 2049);
    reading_init(&r);
    r.limits.max_depth = 2049;
    CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, sizeof(text)}), 0);
    json = load((struct tk_str){text, sizeof(text)}, &error);
    CU_ASSERT_PTR_NULL(json);
    CU_ASSERT_EQUAL(strncmp(error.text, "maximum parsing depth", 21), 0);
    CU_ASSERT_TRUE(reading_done(&r));
}

TAP_MAIN("oracle_json", TAP_TEST(test_table), TAP_TEST(test_generated_documents),
         TAP_TEST(test_damaged_documents), TAP_TEST(test_depth))
