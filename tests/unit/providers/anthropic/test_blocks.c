/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of blocks against the one of src/catalogue/catalogue.json: the same types, kinds,
 * roles and members. Then each block through the judge: whole, with each member missing, with a
 * member of another, with one that is known to be refused.
 */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/anthropic/rules.h"
#include "shapes/blocks.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *load_blocks(void)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    json_t *catalogue, *rows;

    snprintf(path, sizeof(path), "%s/src/catalogue/catalogue.json", top ? top : ".");
    catalogue = json_load_file(path, 0, NULL);
    rows = json_incref(json_object_get(catalogue, "block_types"));
    json_decref(catalogue);
    CU_ASSERT_FATAL(json_array_size(rows) > 0);
    return rows;
}

static const char *text(json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static void say_where(bool same, json_t *row, const char *what)
{
    if (!same)
        printf("# %s: %s\n", text(row, "type"), what);
    CU_ASSERT(same);
}

/* ---- the table ---- */

static uint8_t kind_named(const char *name)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } kinds[] = {
        {"text", TK_PART_TEXT},      {"thinking", TK_PART_THINKING},
        {"media", TK_PART_MEDIA},    {"redacted_thinking", TK_PART_REDACTED},
        {"tool_call", TK_PART_CALL}, {"tool_result", TK_PART_RESULT},
        {"other", TK_PART_OTHER},
    };

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(kinds[i].name, name) == 0)
            return kinds[i].kind;
    return UINT8_MAX;
}

static uint8_t roles_named(json_t *list)
{
    static const char *const names[] = {"user", "assistant", "system"};
    uint8_t roles = 0;
    json_t *name;
    size_t i;

    json_array_foreach(list, i, name)
    {
        for (uint8_t bit = 0; bit < 3; bit++)
            if (strcmp(json_string_value(name), names[bit]) == 0)
                roles |= (uint8_t)(1 << bit);
    }
    return roles;
}

/* The members in the order of the catalogue: the first of those that lack is the one that is named.
 */
static bool same_members(uint32_t members, json_t *names, bool in_order)
{
    json_t *name;
    size_t i;

    json_array_foreach(names, i, name)
    {
        uint32_t m = 0;

        while (m < TK_M_COUNT && !tk_str_is(tk_member_names[m], json_string_value(name)))
            m++;
        if (!(members & TK_HAS(m)) || (in_order && members & (TK_HAS(m) - 1)))
            return false;
        members &= ~TK_HAS(m);
    }
    return members == 0;
}

static bool has_marker(const struct tk_block *b)
{
    return (b->optional & TK_HAS(TK_M_CACHE_CONTROL)) != 0;
}

static bool is_provider(const struct tk_block *b)
{
    return (b->kind == TK_PART_CALL || b->kind == TK_PART_RESULT) &&
           !tk_str_is(b->type, "tool_use") && !tk_str_is(b->type, "tool_result");
}

static void compare(const struct tk_block *b, json_t *row)
{
    say_where(b->kind == kind_named(text(row, "kind")), row, "kind");
    say_where(b->roles == roles_named(json_object_get(row, "roles")), row, "roles");
    say_where(same_members(b->required, json_object_get(row, "required"), true), row, "required");
    say_where(same_members(b->optional, json_object_get(row, "optional"), false), row, "optional");
    say_where(!(b->flags & TK_PART_MARKABLE) == !has_marker(b), row, "may carry a marker");
    say_where(!(b->flags & TK_PART_PROVIDER) == !is_provider(b), row, "executed by the provider");
}

static bool is_in_content(json_t *row)
{
    return strcmp(text(row, "where"), "content") == 0;
}

static void test_rows_agree(void)
{
    json_t *rows = load_blocks(), *row;
    size_t i, blocks = 0;

    json_array_foreach(rows, i, row)
    {
        uint8_t at = tk_block_of(tk_str_of(text(row, "type")));

        say_where((at != TK_BLOCK_NONE) == is_in_content(row), row, "listed");
        blocks += is_in_content(row);
        if (at != TK_BLOCK_NONE)
            compare(&tk_blocks[at], row);
    }
    CU_ASSERT_EQUAL(blocks + 1, tk_block_count);
    json_decref(rows);
}

/* Rows are looked up by these names. */
static void test_named_rows(void)
{
    static const char *const names[TK_BLOCK_NAMED] = {
        [TK_BLOCK_NONE] = "",
        [TK_BLOCK_TEXT] = "text",
        [TK_BLOCK_THINKING] = "thinking",
        [TK_BLOCK_REDACTED_THINKING] = "redacted_thinking",
        [TK_BLOCK_TOOL_USE] = "tool_use",
        [TK_BLOCK_TOOL_RESULT] = "tool_result",
        [TK_BLOCK_IMAGE] = "image",
        [TK_BLOCK_DOCUMENT] = "document",
        [TK_BLOCK_SEARCH_RESULT] = "search_result",
        [TK_BLOCK_COMPACTION] = "compaction",
        [TK_BLOCK_MID_CONV_SYSTEM] = "mid_conv_system",
        [TK_BLOCK_TOOL_ADDITION] = "tool_addition",
        [TK_BLOCK_TOOL_REMOVAL] = "tool_removal",
    };

    for (int i = 0; i < TK_BLOCK_NAMED; i++)
        CU_ASSERT(tk_str_is(tk_blocks[i].type, names[i]));
}

/* ---- judged ---- */

struct counts {
    uint32_t lacking, refused, foreign;
};

/* Returns the findings of the rules about members in a lone block, equal in both codecs. */
static struct counts judge(json_t *block)
{
    json_t *messages = json_pack("[{s:s,s:[O]}]", "role", "user", "content", block);
    char *dumped = json_dumps(messages, JSON_COMPACT);
    struct counts c[2];

    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        const struct tk_findings *f;
        struct history h;

        history_open(&h, "anthropic", &tk_policy_conservative, (enum tk_codec)codec, dumped);
        CU_ASSERT_EQUAL(tk_judge(&h.judge), 0);
        f = &h.judge.findings;
        c[codec] = (struct counts){
            f->by_code[TK_CODE_FIELD_REQUIRED], f->errors_by_code[TK_CODE_EXTRA_INPUTS],
            f->by_code[TK_CODE_EXTRA_INPUTS] - f->errors_by_code[TK_CODE_EXTRA_INPUTS]};
        CU_ASSERT(history_close(&h));
    }
    CU_ASSERT_EQUAL(memcmp(&c[0], &c[1], sizeof(c[0])), 0);
    free(dumped);
    json_decref(messages);
    json_decref(block);
    return c[0];
}

static void expect(struct counts got, uint32_t lacking, uint32_t refused, uint32_t foreign,
                   json_t *row, const char *what)
{
    say_where(got.lacking == lacking && got.refused == refused && got.foreign == foreign, row,
              what);
}

/* A block with all members that it may have, but for one. */
static json_t *whole_but(json_t *row, const char *without)
{
    static const char *const lists[] = {"required", "optional"};
    json_t *block = json_pack("{s:s}", "type", text(row, "type")), *name;
    size_t i;

    for (int k = 0; k < 2; k++)
        json_array_foreach(json_object_get(row, lists[k]), i, name)
        {
            if (!without || strcmp(json_string_value(name), without) != 0)
                json_object_set_new(block, json_string_value(name), json_string("v"));
        }
    return block;
}

static json_t *with(json_t *block, const char *key)
{
    json_object_set_new(block, key, json_null());
    return block;
}

static void test_lacking_members(void)
{
    json_t *rows = load_blocks(), *row, *name;
    size_t i, k;

    json_array_foreach(rows, i, row)
    {
        const char *kind = text(row, "kind");
        bool looked_at = strcmp(kind, "media") == 0 || strcmp(kind, "other") == 0;

        if (!is_in_content(row))
            continue;
        expect(judge(whole_but(row, NULL)), 0, 0, 0, row, "whole");
        json_array_foreach(json_object_get(row, "required"), k, name)
        {
            expect(judge(whole_but(row, json_string_value(name))), looked_at, 0, 0, row,
                   json_string_value(name));
        }
    }
    json_decref(rows);
}

/* True if blocks of a type must not have the member, by the words of the catalogue. */
static bool is_refused(const char *type, const char *key)
{
    static const struct {
        const char *type, *key;
    } refused[] = {
        {NULL, "index"},      {NULL, "partial_json"},  {NULL, "parsed"},
        {"tool_use", "text"}, {"tool_result", "name"}, {"text", "id"},
    };

    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
        if (strcmp(refused[i].key, key) == 0 &&
            (!refused[i].type || strcmp(refused[i].type, type) == 0))
            return true;
    return false;
}

static void test_foreign_members(void)
{
    static const char *const keys[] = {"index", "partial_json", "parsed", "text",     "name",
                                       "id",    "indexes",      "",       "tool_name"};
    json_t *rows = load_blocks(), *row;
    size_t i;

    json_array_foreach(rows, i, row)
    {
        for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]) && is_in_content(row); k++) {
            json_t *block = whole_but(row, NULL);
            bool known = json_object_get(block, keys[k]) != NULL;
            bool refused = is_refused(text(row, "type"), keys[k]);

            expect(judge(with(block, keys[k])), 0, !known && refused, !known && !refused, row,
                   keys[k]);
        }
    }
    json_decref(rows);
}

/* One finding a block, the gravest. */
static void test_one_finding_a_block(void)
{
    json_t *block = json_pack("{s:s,s:s,s:s,s:i,s:s}", "type", "text", "text", "t", "odd", "x",
                              "index", 0, "id", "x");
    struct counts got = judge(block);

    CU_ASSERT_EQUAL(got.refused, 1);
    CU_ASSERT_EQUAL(got.foreign, 0);
    got = judge(json_pack("{s:s}", "type", "search_result"));
    CU_ASSERT_EQUAL(got.lacking, 1);
}

/* A marker on thinking has a rule of its own. */
static void test_marked_thinking(void)
{
    struct counts got = judge(json_pack("{s:s,s:s,s:s,s:{}}", "type", "thinking", "thinking", "t",
                                        "signature", "s", "cache_control"));

    CU_ASSERT_EQUAL(got.foreign + got.refused + got.lacking, 0);
    got = judge(
        json_pack("{s:s,s:s,s:{}}", "type", "mid_conv_system", "content", "c", "cache_control"));
    CU_ASSERT_EQUAL(got.foreign, 1);
}

TAP_MAIN("blocks", TAP_TEST(test_rows_agree), TAP_TEST(test_named_rows),
         TAP_TEST(test_lacking_members), TAP_TEST(test_foreign_members),
         TAP_TEST(test_one_finding_a_block), TAP_TEST(test_marked_thinking))
