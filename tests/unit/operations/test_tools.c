/* SPDX-License-Identifier: Apache-2.0 */
/* tools as a library: types and dates, the tables of tools asked for by name, header values, merging. */
#include "../documents.h"
#include "../tap.h"
#include "../transcripts.h"
#include "operations/tools/beta.h"
#include "operations/tools/named_tool.h"
#include "operations/tools/tools.h"
#include "providers/anthropic/betas/values.h"
#include "providers/anthropic/tools.h"
#include "providers/registry.h"

#include <errno.h>
#include <stdlib.h>

static const uint64_t key[2] = {7, 8};

/* ---- types ---- */

static void test_families(void)
{
    static const struct {
        const char *type, *family;
        uint32_t date;
        bool toolset;
    } rows[] = {
        {"web_search_20260318", "web_search", 20260318, false},
        {"web_search_2026031", "web_search_2026031", 0, false},
        {"web_search_202603180", "web_search_202603180", 0, false},
        {"web_search-20260318", "web_search-20260318", 0, false},
        {"web_search_2026o318", "web_search_2026o318", 0, false},
        {"20260318", "20260318", 0, false},
        {"_20260318", "_20260318", 0, false},
        {"a_20260318", "a", 20260318, false},
        {"", "", 0, false},
        {"custom", "custom", 0, false},
        {"computer_toolset_20260801", "computer_toolset", 20260801, true},
        {"computer_toolset", "computer_toolset", 0, false},
        {"mcp_toolset", "mcp_toolset", 0, false},
        {"toolset_20260801", "toolset", 20260801, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t date = 1;

        CU_ASSERT(tk_str_is(tk_tool_family(tk_str_of(rows[i].type), &date), rows[i].family));
        CU_ASSERT_EQUAL(date, rows[i].date);
        CU_ASSERT_EQUAL(tk_is_client_toolset(tk_str_of(rows[i].type)), rows[i].toolset);
    }
}

/* ---- the registry of providers ---- */

static void test_registry(void)
{
    static const char *const names[] = {
#define NAME(id, name) [TK_PROVIDER_##id] = name,
        TK_PROVIDERS(NAME)
#undef NAME
    };
    static const bool is_judged[TK_PROVIDER_COUNT] = {
#define JUDGED(id, name) [TK_PROVIDER_##id] = true,
        TK_JUDGED_PROVIDERS(JUDGED)
#undef JUDGED
    };

    for (size_t i = 0; i < TK_PROVIDER_COUNT; i++) {
        const struct tk_provider *p = tk_providers[i];

        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        CU_ASSERT_STRING_EQUAL(p->name, names[i]);
        CU_ASSERT_EQUAL(p->rules.checks != NULL, is_judged[i]);
        CU_ASSERT(p->tools || is_judged[i]);
        CU_ASSERT(!p->tools || p->tools->read_keys);
    }
}

/* ---- the tables of tools asked for by name ---- */

/* Returns true if the tables have a form for a row's want. */
static bool has_form(const struct tk_named_tools *tables, const char *want)
{
    for (const struct tk_named_tool_form *f = tables->forms; f->want; f++)
        if (strcmp(f->want, want) == 0)
            return true;
    return false;
}

static void check_forms(const struct tk_tool_rules *rules)
{
    const struct tk_named_tool_form *forms = rules->named->forms;

    for (const struct tk_named_tool_form *a = forms; a->want; a++) {
        CU_ASSERT(!a->write_server || rules->servers);
        for (const struct tk_named_tool_form *b = a + 1; b->want; b++)
            CU_ASSERT(strcmp(a->want, b->want) != 0 ||
                      (a->variant && b->variant && strcmp(a->variant, b->variant) != 0));
    }
}

static void check_rows(const struct tk_named_tools *t)
{
    for (const struct tk_named_tool_option *row = t->options; row && row->want; row++) {
        CU_ASSERT(has_form(t, row->want));
        CU_ASSERT_EQUAL(row->target != NULL,
                        row->use == TK_OPTION_RENAMED || row->use == TK_OPTION_INSIDE);
    }
    for (const struct tk_named_tool_requirement *row = t->requirements; row && row->want; row++)
        CU_ASSERT(has_form(t, row->want));
    for (const struct tk_named_tool_default *row = t->defaults; row && row->want; row++)
        CU_ASSERT(has_form(t, row->want));
}

static void test_tables_agree(void)
{
    uint32_t checked = 0;

    for (size_t i = 0; i < TK_PROVIDER_COUNT; i++) {
        const struct tk_tool_rules *rules = tk_providers[i]->tools;

        if (!rules || !rules->named)
            continue;
        check_forms(rules);
        check_rows(rules->named);
        checked++;
    }
    CU_ASSERT(checked > 0);
}

/* ---- beta values ---- */

static struct tk_val read(struct reading *r, const char *json)
{
    reading_init(r);
    CU_ASSERT_EQUAL_FATAL(reading_json(r, tk_str_of(json)), 0);
    return tk_root(&r->doc);
}

static const char *header_of(const struct tk_betas *b)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, b->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_betas_write_header(&w, b);
    return as_json(tk_out_join(&out), b->arena);
}

static void test_lines(void)
{
    static const char *const rows[][2] = {
        {"\"\"", "\"\""},
        {"\"a\"", "\"a\""},
        {"\",,a ,\\t b\\t,,A,a b,\"", "\"a,b,a b\""},
        {"[\"b,a\",\"c\",\"\",\" B\"]", "\"b,a,c\""},
        {"[\"\\u0061\",\"a\"]", "\"a\""},
        {"[]", "\"\""},
        {"7", "\"\""},
        {"[7,\"x\"]", "\"x\""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct tk_val lines = read(&r, rows[i][0]);
        struct tk_betas b;

        tk_betas_init(&b, &r.arena, key);
        tk_betas_add(&b, lines);
        CU_ASSERT_EQUAL(b.given, b.count);
        CU_ASSERT_STRING_EQUAL(header_of(&b), rows[i][1]);
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

/* The value that one trigger alone asks for. */
static struct tk_str value_for(enum tk_beta beta, struct tk_arena *arena)
{
    const struct tk_beta_scan scan = {.seen = UINT64_C(1) << beta};
    const struct tk_beta_call call = {.legacy = true};
    struct tk_betas b;

    tk_betas_init(&b, arena, key);
    CU_ASSERT_EQUAL(tk_betas_complete(&b, &tk_anthropic_betas, &scan, &call), 0);
    CU_ASSERT_EQUAL_FATAL(b.count, 1);
    return b.values[0];
}

/* The value in the last column of a row "| H7 | ... | `value`, ...". */
static bool row_value(const char *line, char value[128])
{
    const char *column = strrchr(line, '|'), *from, *to;

    if (strncmp(line, "| H", 3) != 0 || !column)
        return false;
    while (column > line && column[-1] != '|')
        column--;
    from = strchr(column, '`');
    to = from ? strchr(from + 1, '`') : NULL;
    if (!to || to - from > 100)
        return false;
    snprintf(value, 128, "%.*s", (int)(to - from - 1), from + 1);
    return true;
}

/* The specification names the same values in the same order. */
static void test_values_are_the_specifications(void)
{
    const char *top = getenv("top_srcdir");
    char path[4096], line[1024], value[128];
    unsigned beta = 0;
    struct tk_arena arena;
    FILE *f;

    snprintf(path, sizeof(path), "%s/doc/OPERATIONS.md", top ? top : ".");
    f = fopen(path, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(f);
    tk_arena_init(&arena, tk_libc_allocator);
    while (fgets(line, sizeof(line), f)) {
        line[strcspn(line, "\n")] = '\0';
        if (!row_value(line, value))
            continue;
        CU_ASSERT_FATAL(beta < TK_BETA_COUNT);
        CU_ASSERT(tk_str_is(value_for((enum tk_beta)beta, &arena), value));
        beta++;
    }
    CU_ASSERT_EQUAL(beta, TK_BETA_COUNT);
    fclose(f);
    tk_arena_done(&arena);
}

/* ---- merging ---- */

static void test_several_documents(void)
{
    struct reading base, more;
    struct tk_tools_input in = {
        .hash_key = key,
        .codec = TK_JSON,
        .provider = tk_providers[TK_PROVIDER_ANTHROPIC],
        .tools = read(&base, "[{\"name\":\"a\"},{\"name\":\"a\"}]"),
        .request = TK_NO_VAL,
        .add = read(&more, "[\"memory\",{\"name\":\"b\"}]"),
    };
    struct tk_tools tools;
    struct tk_writer w;
    struct tk_out out;

    in.arena = &more.arena;
    CU_ASSERT_EQUAL(tk_tools_merge(&in, &tools), 0);
    tk_out_init(&out, &more.arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_tools_write_list(&w, &tools.tools);
    CU_ASSERT_STRING_EQUAL(
        as_json(tk_out_join(&out), &more.arena),
        "[{\"name\":\"a\"},{\"type\":\"memory_20250818\",\"name\":\"memory\"},{\"name\":\"b\"}]");
    CU_ASSERT_EQUAL(tools.notes, 1u << TK_TOOLS_NOTE_DUPLICATE_DROPPED);
    CU_ASSERT_TRUE(reading_done(&base));
    CU_ASSERT_TRUE(reading_done(&more));
}

static void test_malloc_sweep(void)
{
    struct reading r;
    struct tk_val root =
        read(&r, "{\"tools\":[{\"name\":\"a\"},{\"type\":\"web_search_20250305\","
                 "\"name\":\"web_search\"}],\"add\":[\"web_search\",{\"x\":1},"
                 "{\"want\":\"mcp\",\"options\":{\"name\":\"s\",\"url\":\"u\"}}]}");
    bool failed = true;

    for (size_t k = 1; failed; k++) {
        struct memory memory = {.fail_at = k};
        struct tk_arena arena;
        struct tk_tools tools;
        struct tk_tools_input in = {
            .arena = &arena,
            .hash_key = key,
            .codec = TK_JSON,
            .provider = tk_providers[TK_PROVIDER_ANTHROPIC],
            .tools = tk_get(root, TK_STR("tools")),
            .request = TK_NO_VAL,
            .add = tk_get(root, TK_STR("add")),
        };
        int result;

        tk_arena_init(&arena, memory_allocator(&memory));
        result = tk_tools_merge(&in, &tools);
        failed = memory.calls >= k;
        CU_ASSERT(failed ? result == -ENOMEM : result == 0);
        tk_arena_done(&arena);
        CU_ASSERT_EQUAL(memory.bytes, 0);
    }
    CU_ASSERT_TRUE(reading_done(&r));
}

TAP_MAIN("tools", TAP_TEST(test_families), TAP_TEST(test_registry), TAP_TEST(test_tables_agree),
         TAP_TEST(test_lines), TAP_TEST(test_values_are_the_specifications),
         TAP_TEST(test_several_documents), TAP_TEST(test_malloc_sweep))
