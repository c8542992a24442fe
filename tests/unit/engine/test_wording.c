/* SPDX-License-Identifier: Apache-2.0 */
/* A provider's words in normal form, what is written for an index, and which paths fit which wording. */
#include "../tap.h"
#include "catalogue/rule.h"
#include "wording/explain.h"
#include "wording/path.h"

static struct tk_normal normal_of(const char *raw, struct tk_arena *arena)
{
    struct tk_normal normal;

    CU_ASSERT_EQUAL_FATAL(tk_normal_make(&normal, tk_str_of(raw), arena), 0);
    return normal;
}

static void test_normal_form(void)
{
    struct tk_arena arena;
    static const struct {
        const char *raw, *normal;
    } rows[] = {
        {"", ""},
        {"Messages.12: `tool_use` ids\\nwere", "messages.0: tool_use ids were"},
        {"a \t\r\n  b", "a b"},
        {"\\\\\\\"x\\\\\\\"", "x"},         /* JSON in JSON in JSON */
        {"\\\\u0060x\\u0060 \\x41", "x a"}, /* escapes of escapes */
        {"\\u12g4", "u0g0"},                /* no escape */
        {"\\", ""},
        {"\xef\xbc\xa1\xef\xbc\xbb\xef\xbc\x94\xef\xbc\xbd", "a[0]"}, /* full-width */
        {"x.[3].y", "x[0].y"},
        {"\xe2\x80\x98x\xe2\x80\x99 \xc2\xabx\xc2\xbb \xe3\x80\x8cx\xe3\x80\x8d", "x x x"},
        {"\xe2\x94\x82 a \xe2\x94\x82\n\xe2\x95\xb0", "a "}, /* a box */
        {"\x1b[1;31mred\x1b[0m \\u001b[1mx", "red x"},
        {"\x1b[", "["},
        {"1,234,567 tokens", "0 tokens"},
        {"1,2 12,3456 {1,128}", "0,0 0,0 {0,0}"},
        {"\xe5\x80\x8b", "\xff"},   /* any other character */
        {"a\xe5\x80", "a\xff\xff"}, /* a cut one */
    };

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_normal normal = normal_of(rows[i].raw, &arena);

        CU_ASSERT_TRUE(tk_str_is((struct tk_str){normal.p, normal.n}, rows[i].normal));
    }
    tk_arena_done(&arena);
}

static void test_bytes_know_where_they_come_from(void)
{
    struct tk_arena arena;
    struct tk_normal normal;

    tk_arena_init(&arena, tk_libc_allocator);
    normal = normal_of("x \\n `1,234` .[5]", &arena);
    CU_ASSERT_TRUE(tk_str_is((struct tk_str){normal.p, normal.n}, "x 0 [0]"));
    CU_ASSERT_TRUE(tk_str_is(tk_normal_raw(&normal, 2, 3), "1,234"));
    CU_ASSERT_TRUE(tk_str_is(tk_normal_raw(&normal, 4, 7), ".[5]"));
    CU_ASSERT_FALSE(tk_normal_joined(&normal, 2));
    CU_ASSERT_TRUE(tk_normal_joined(&normal, 5));
    tk_arena_done(&arena);
}

static void test_indexes(void)
{
    static const struct {
        const char *text;
        uint32_t size;
    } rows[] = {
        {"0", 1},       {"0.", 1},          {"n", 1},
        {"n]", 1},      {"nx", 0},          {"name", 0},
        {"i", 1},       {"j", 1},           {"k", 0},
        {"***.x", 3},   {"<n>", 3},         {"{i}", 3},
        {"<index>", 7}, {"<abcdefgh>", 10}, {"<abcdefghi>", 0},
        {"<>", 0},      {"<n", 0},          {"<n}", 0},
        {"", 0},        {".", 0},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *end = rows[i].text + strlen(rows[i].text);

        CU_ASSERT_EQUAL(tk_index_size(rows[i].text, end), rows[i].size);
        if (rows[i].size > 0 && rows[i].text + rows[i].size == end)
            CU_ASSERT_EQUAL(tk_index_before(rows[i].text, end), rows[i].size);
    }
}

#define PART  "messages.{message}.content.{part}: words"
#define FIELD "messages.{message}.content.{part}.{field}: words"
#define IMAGE "messages.{message}.content.{part}.image.source.base64: words"

static void test_paths_fit_from_their_end(void)
{
    struct tk_arena arena;
    static const struct {
        const char *template, *path;
        bool fits;
    } rows[] = {
        {PART, "messages.3.content.1", true},
        {PART, "messages[3].content[1]", true},
        {PART, "body.messages.3.content.1", true},
        {PART, "content.1", false},
        {PART, "messages.3", false},
        {PART, "messages.<n>.content.x", true},
        {PART, "messages.3.content.1.tool_use", true}, /* the type of the block */
        {PART, "messages.3.content.1.name", false},
        {PART, "***.***.content.1", false}, /* nothing tells */
        {FIELD, "messages.3.content.1.name", true},
        {FIELD, "messages.3.content.1.x", true},
        {FIELD, "messages.3.content.1.tool_use.name", true},
        {FIELD, "messages.3.name", false},
        {FIELD, "***.***.content.1.***", false},
        {FIELD, "***.***.content.1.name", true},
        {IMAGE, "messages.3.content.1.image.source.base64", true},
        {IMAGE, "messages.3.content.1.tool_result.content.0.image.source.base64", true},
        {IMAGE, "messages.3.content.1.text.content.0.image.source.base64", false},
        {IMAGE, "***.***.***.***.image.source.base64", true},
        {IMAGE, "messages.3.content.1.image.source.url", false},
    };

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_normal text = normal_of(rows[i].path, &arena);
        struct tk_phrase phrase;
        struct tk_found found;

        CU_ASSERT_TRUE_FATAL(tk_phrase_read(&phrase, rows[i].template, &arena));
        if (tk_path_fits(&phrase, &text, (struct tk_section){0, text.n}, &found) != rows[i].fits) {
            printf("# %s: %s\n", rows[i].template, rows[i].path);
            CU_FAIL("a path fits that shouldn't, or doesn't");
        }
    }
    tk_arena_done(&arena);
}

/* A wording that can't be read would never be found. */
static void test_every_wording_is_read(void)
{
    struct tk_arena arena;
    struct tk_phrase phrase;

    tk_arena_init(&arena, tk_libc_allocator);
    for (unsigned i = 0; i < TK_WORDING_COUNT; i++) {
        struct tk_wording wording = tk_wording(i);
        const char *const *more = wording.more_errors;

        if (wording.provider_error)
            CU_ASSERT_TRUE(tk_phrase_read(&phrase, wording.provider_error, &arena));
        for (; more && *more; more++)
            CU_ASSERT_TRUE(tk_phrase_read(&phrase, *more, &arena));
    }
    tk_arena_done(&arena);
}

TAP_MAIN("wording", TAP_TEST(test_normal_form), TAP_TEST(test_bytes_know_where_they_come_from),
         TAP_TEST(test_indexes), TAP_TEST(test_paths_fit_from_their_end),
         TAP_TEST(test_every_wording_is_read))
