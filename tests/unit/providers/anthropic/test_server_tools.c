/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of server tools against the one of src/catalogue/catalogue.json: the same tools,
 * each with all good forms of its results, each form with one member missing, its error, another
 * tool's error; read through the judge, as part of a pair.
 */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/anthropic/provider_pairs/server_tools.h"

#include <jansson.h>
#include <stdlib.h>

static json_t *load(const char *table)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    json_t *catalogue, *rows;

    snprintf(path, sizeof(path), "%s/src/catalogue/catalogue.json", top ? top : ".");
    catalogue = json_load_file(path, 0, NULL);
    rows = json_incref(json_object_get(catalogue, table));
    json_decref(catalogue);
    return rows;
}

static const char *text(json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

/* ---- a pair, judged ---- */

enum verdict {
    GOOD,
    BAD_RESULT,
    MISMATCH,
    UNKNOWN,
    OTHER
};

static enum verdict verdict_of(const struct tk_findings *f)
{
    if (f->count == 0)
        return GOOD;
    if (f->count == 2 && f->by_code[TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_RESULT] == 2)
        return BAD_RESULT;
    if (f->count == 2 && f->by_code[TK_CODE_PROVIDER_EXECUTED_RESULT_TYPE_MISMATCH] == 2)
        return MISMATCH;
    return f->count == 1 && f->by_code[TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN] == 1 ? UNKNOWN
                                                                                    : OTHER;
}

/* The pair in both codecs; content NULL: none. */
static enum verdict judge_pair(const char *block, const char *name, const char *result,
                               const char *content)
{
    enum verdict verdicts[2];
    char messages[8192];

    snprintf(
        messages, sizeof(messages),
        "[{\"role\":\"assistant\",\"content\":[{\"type\":\"%s\",\"id\":\"srvtoolu_i\",\"name\":\"%s\","
        "\"input\":{}},{\"type\":\"%s\",\"tool_use_id\":\"srvtoolu_i\"%s%s}]}]",
        block, name, result, content ? ",\"content\":" : "", content ? content : "");
    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        struct history h;

        history_open(&h, "anthropic", &tk_policy_conservative, (enum tk_codec)codec, messages);
        CU_ASSERT_EQUAL(tk_judge(&h.judge), 0);
        verdicts[codec] = verdict_of(&h.judge.findings);
        CU_ASSERT(history_close(&h));
    }
    CU_ASSERT_EQUAL(verdicts[0], verdicts[1]);
    return verdicts[0];
}

static void expect(enum verdict want, const char *block, const char *name, const char *result,
                   const char *content)
{
    enum verdict got = judge_pair(block, name, result, content);

    if (got != want)
        printf("# %s %s, %s %s: %d, not %d\n", block, name, result, content ? content : "-",
               (int)got, (int)want);
    CU_ASSERT_EQUAL(got, want);
}

/* ---- forms ---- */

static json_t *find_block(json_t *blocks, const char *type)
{
    json_t *row;
    size_t i;

    json_array_foreach(blocks, i, row)
    {
        if (strcmp(text(row, "type"), type) == 0)
            return row;
    }
    return NULL;
}

/* An object of a block type with its required members; the one called `without` left out. */
static json_t *make_block(json_t *blocks, const char *type, const char *without)
{
    json_t *made = json_pack("{s:s}", "type", type), *key;
    json_t *row = find_block(blocks, type);
    size_t i;

    CU_ASSERT_PTR_NOT_NULL(row);
    json_array_foreach(json_object_get(row, "required"), i, key)
    {
        const char *name = json_string_value(key);

        if (!without || strcmp(name, without) != 0)
            json_object_set_new(made, name, json_string("v"));
    }
    return made;
}

static void expect_json(enum verdict want, json_t *tool, json_t *content)
{
    const char *name = text(tool, "call_name");
    char *dumped = json_dumps(content, JSON_ENCODE_ANY | JSON_COMPACT);

    expect(want, text(tool, "call_block"), name ? name : "any", text(tool, "result_block"), dumped);
    free(dumped);
    json_decref(content);
}

/* In the form that the tool's successes have. */
static json_t *in_form(json_t *tool, json_t *block)
{
    return strcmp(text(tool, "success_form"), "object") == 0 ? block : json_pack("[o]", block);
}

static void check_success(json_t *tool, json_t *blocks, const char *type)
{
    json_t *required = json_object_get(find_block(blocks, type), "required"), *key;
    size_t i;

    expect_json(GOOD, tool, in_form(tool, make_block(blocks, type, NULL)));
    if (strcmp(text(tool, "success_form"), "blocks") == 0)
        return; /* of text blocks only the type is looked at */
    json_array_foreach(required, i, key)
    {
        expect_json(BAD_RESULT, tool,
                    in_form(tool, make_block(blocks, type, json_string_value(key))));
    }
    if (strcmp(text(tool, "success_form"), "object") == 0)
        expect_json(BAD_RESULT, tool, json_pack("[o]", make_block(blocks, type, NULL)));
    else
        expect_json(BAD_RESULT, tool, make_block(blocks, type, NULL));
}

static void test_every_success(void)
{
    json_t *tools = load("server_tools"), *blocks = load("block_types"), *tool, *type;
    size_t i, k;

    CU_ASSERT_FATAL(json_array_size(tools) > 0);
    json_array_foreach(tools, i, tool)
    {
        json_array_foreach(json_object_get(tool, "success_types"), k, type)
        {
            check_success(tool, blocks, json_string_value(type));
        }
    }
    json_decref(tools);
    json_decref(blocks);
}

static void test_every_error(void)
{
    json_t *tools = load("server_tools"), *tool, *other;
    size_t i, k;

    json_array_foreach(tools, i, tool)
    {
        if (!text(tool, "call_name"))
            continue;
        expect_json(GOOD, tool, json_deep_copy(json_object_get(tool, "error_result")));
        expect_json(BAD_RESULT, tool,
                    json_pack("{s:s, s:s}", "type",
                              text(json_object_get(tool, "error_result"), "type"), "error_code",
                              ""));
        expect_json(
            BAD_RESULT, tool,
            json_pack("{s:s}", "type", text(json_object_get(tool, "error_result"), "type")));
        json_array_foreach(tools, k, other)
        {
            if (strcmp(text(other, "result_block"), text(tool, "result_block")) != 0)
                expect_json(BAD_RESULT, tool,
                            json_deep_copy(json_object_get(other, "error_result")));
        }
    }
    json_decref(tools);
}

/* Every tool's result under every other tool's call. */
static void test_who_belongs_to_whom(void)
{
    json_t *tools = load("server_tools"), *tool, *other;
    size_t i, k;

    json_array_foreach(tools, i, tool)
    {
        json_array_foreach(tools, k, other)
        {
            const char *name = text(tool, "call_name");
            bool same = strcmp(text(tool, "result_block"), text(other, "result_block")) == 0;
            bool mcp = text(other, "call_name") == NULL;
            char *content = json_dumps(json_object_get(other, "error_result"), JSON_COMPACT);

            expect(same ? GOOD : MISMATCH, text(tool, "call_block"), name ? name : "any",
                   text(other, "result_block"), mcp ? "\"r\"" : content);
            free(content);
        }
    }
    json_decref(tools);
}

static void test_unlisted(void)
{
    json_t *tools = load("server_tools"), *tool;
    size_t i;

    expect(UNKNOWN, "server_tool_use", "browse", "browse_tool_result", "5");
    expect(UNKNOWN, "server_tool_use", "browse", "other_tool_result", NULL);
    /* a listed name keeps its results, whatever the call's block is called */
    expect(MISMATCH, "browse_tool_use", "web_search", "browse_tool_result", "{}");
    expect(UNKNOWN, "browse_tool_use", "web_search", "web_search_tool_result", "[]");
    expect(UNKNOWN, "server_tool_use", "Web_search", "Web_search_tool_result", "{}");
    json_array_foreach(tools, i, tool)
    {
        char *content = json_dumps(json_object_get(tool, "error_result"), JSON_COMPACT);

        if (text(tool, "call_name"))
            expect(MISMATCH, "server_tool_use", "browse", text(tool, "result_block"), content);
        free(content);
    }
    json_decref(tools);
}

static void test_mcp(void)
{
    expect(GOOD, "mcp_tool_use", "x", "mcp_tool_result", NULL);
    expect(GOOD, "mcp_tool_use", "web_search", "mcp_tool_result", "\"\"");
    expect(GOOD, "mcp_tool_use", "x", "mcp_tool_result", "[]");
    expect(GOOD, "mcp_tool_use", "x", "mcp_tool_result", "null");
    expect(BAD_RESULT, "mcp_tool_use", "x", "mcp_tool_result", "7");
    expect(BAD_RESULT, "mcp_tool_use", "x", "mcp_tool_result", "{}");
    expect(BAD_RESULT, "mcp_tool_use", "x", "mcp_tool_result", "[{\"type\":\"image\"}]");
    expect(BAD_RESULT, "mcp_tool_use", "x", "mcp_tool_result", "[\"text\"]");
}

#define HIT(url, title, key)                                                                       \
    "{\"type\":\"web_search_result\",\"url\":" url ",\"title\":" title                             \
    ",\"encrypted_content\":" key "}"

static void test_hits(void)
{
    static const struct {
        enum verdict verdict;
        const char *content;
    } rows[] = {
        {GOOD, "[]"},
        {GOOD, "[" HIT("\"\"", "\"\"", "\"E\"") "]"},
        {GOOD, "[" HIT("\"u\"", "\"t\"", "\"E\"") "," HIT("\"u\"", "\"t\"", "\"E\"") "]"},
        {BAD_RESULT, "[" HIT("\"u\"", "\"t\"", "\"E\"") "," HIT("\"u\"", "\"t\"", "\"\"") "]"},
        {BAD_RESULT, "[" HIT("\"u\"", "\"t\"", "null") "]"},
        {BAD_RESULT, "[" HIT("null", "\"t\"", "\"E\"") "]"},
        {BAD_RESULT, "[" HIT("\"u\"", "1", "\"E\"") "]"},
        {BAD_RESULT, "[[]]"},
        {BAD_RESULT, "[null]"},
        {BAD_RESULT, "{}"},
        {BAD_RESULT, "\"hits\""},
        {BAD_RESULT, "null"},
        {BAD_RESULT, NULL},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        expect(rows[i].verdict, "server_tool_use", "web_search", "web_search_tool_result",
               rows[i].content);
}

TAP_MAIN("rules_server_tools", TAP_TEST(test_every_success), TAP_TEST(test_every_error),
         TAP_TEST(test_who_belongs_to_whom), TAP_TEST(test_unlisted), TAP_TEST(test_mcp),
         TAP_TEST(test_hits))
