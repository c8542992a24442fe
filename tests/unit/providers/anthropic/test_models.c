/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of models in all spellings of platforms, and what the table says of each version; each name
 * also in capitals, and with letters around it that aren't part of it.
 */
#include "../../tap.h"
#include "providers/common/claude.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#define OLD    (TK_MODEL_TAKES_NO_SYSTEM | TK_MODEL_TAKES_FEW_IMAGES)
#define V4_6   (TK_MODEL_TAKES_NO_PREFILL | TK_MODEL_TAKES_NO_SYSTEM)
#define V4_7   (V4_6 | TK_MODEL_THINKS_FREELY)
#define NEWEST (TK_MODEL_TAKES_NO_PREFILL | TK_MODEL_THINKS_FREELY)

struct row {
    const char *name, *family; /* family NULL: unknown */
    int major, minor;
    unsigned facts;
};

static const struct row rows[] = {
    /* first party: dated names and aliases */
    {"claude-3-opus-20240229", "opus", 3, 0, OLD},
    {"claude-3-5-sonnet-20241022", "sonnet", 3, 5, OLD},
    {"claude-3-5-haiku-latest", "haiku", 3, 5, OLD},
    {"claude-3-7-sonnet-20250219", "sonnet", 3, 7, OLD},
    {"claude-sonnet-4-20250514", "sonnet", 4, 0, OLD},
    {"claude-opus-4-0", "opus", 4, 0, OLD},
    {"claude-opus-4-1-20250805", "opus", 4, 1, OLD},
    {"claude-sonnet-4-5-20250929", "sonnet", 4, 5, OLD},
    {"claude-haiku-4-5", "haiku", 4, 5, OLD},
    {"claude-opus-4-6", "opus", 4, 6, V4_6},
    {"claude-opus-4-7", "opus", 4, 7, V4_7},
    {"claude-opus-4-8", "opus", 4, 8, NEWEST},
    {"claude-sonnet-4-8", "sonnet", 4, 8, NEWEST},
    {"claude-opus-4-10", "opus", 4, 10, NEWEST},
    {"claude-opus-5", "opus", 5, 0, NEWEST},
    {"claude-sonnet-5", "sonnet", 5, 0, V4_7},
    {"claude-sonnet-5-20260401", "sonnet", 5, 0, V4_7},
    {"claude-sonnet-5-5", "sonnet", 5, 5, NEWEST},
    {"claude-fable-5-1", "fable", 5, 1, NEWEST},
    {"claude-opus-12-34", "opus", 12, 34, NEWEST},
    {"claude-instant-1.2", "instant", 1, 2, OLD},
    /* Bedrock: ids, regions, ARNs */
    {"anthropic.claude-3-haiku-20240307-v1:0", "haiku", 3, 0, OLD},
    {"us.anthropic.claude-sonnet-4-5-20250929-v1:0", "sonnet", 4, 5, OLD},
    {"global.anthropic.claude-opus-4-6-v1", "opus", 4, 6, V4_6},
    {"anthropic.claude-opus-5-v1:0", "opus", 5, 0, NEWEST},
    {"arn:aws:bedrock:us-east-1:123456789012:inference-profile/eu.anthropic.claude-opus-4-8-v1:0",
     "opus", 4, 8, NEWEST},
    /* Vertex, gateways */
    {"claude-opus-4-5@20251101", "opus", 4, 5, OLD},
    {"claude-3-5-sonnet@20240620", "sonnet", 3, 5, OLD},
    {"publishers/anthropic/models/claude-sonnet-5@default", "sonnet", 5, 0, V4_7},
    {"anthropic/claude-sonnet-4.5", "sonnet", 4, 5, OLD},
    {"anthropic/claude-3.7-sonnet:thinking", "sonnet", 3, 7, OLD},
    {"openrouter/anthropic/claude-opus-4.8:beta", "opus", 4, 8, NEWEST},
    {"claude-4-opus-20250514", "opus", 4, 0, OLD},
    {"claude-claude-opus-5", "opus", 5, 0, NEWEST},
    /* what isn't a version */
    {"claude-sonnet-4-5-1m", "sonnet", 4, 5, OLD},
    {"claude-opus-5-1m", "opus", 5, 0, NEWEST},
    {"claude-opus-4-100", "opus", 4, 0, OLD},
    {"claude-opus-123", NULL, 0, 0, 0},
    {"claude-opus-4x", NULL, 0, 0, 0},
    {"claude-opus-latest", NULL, 0, 0, 0},
    {"claude-opus5", NULL, 0, 0, 0},
    {"claude-opus4-5", NULL, 0, 0, 0},
    {"claude-5-20260101", NULL, 0, 0, 0},
    {"claude-4-6-v1", NULL, 0, 0, 0},
    {"claude-2.1", NULL, 0, 0, 0},
    {"anthropic.claude-v2:1", NULL, 0, 0, 0},
    {"claude-opus-", NULL, 0, 0, 0},
    {"claude-opus", NULL, 0, 0, 0},
    {"claude-", NULL, 0, 0, 0},
    {"claude", NULL, 0, 0, 0},
    {"opus-4-8", NULL, 0, 0, 0},
    {"gpt-5.2", NULL, 0, 0, 0},
    {"arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/abc", NULL, 0, 0, 0},
    {"some-model", NULL, 0, 0, 0},
    /* other vendors */
    {"deepseek-v4", NULL, 0, 0, TK_MODEL_WANTS_THINKING},
    {"deepseek/deepseek-v4-pro:free", NULL, 0, 0, TK_MODEL_WANTS_THINKING},
    {"deepseek-reasoner", NULL, 0, 0, TK_MODEL_WANTS_THINKING},
    {"deepseek-v3", NULL, 0, 0, 0},
    {"deepseek-chat", NULL, 0, 0, 0},
    {"", NULL, 0, 0, 0},
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void expect(const struct row *row, const char *name)
{
    struct tk_model m = tk_model_of(tk_str_of(name));

    CU_ASSERT_EQUAL(m.family.p != NULL, row->family != NULL);
    CU_ASSERT_EQUAL(m.major, row->major);
    CU_ASSERT_EQUAL(m.minor, row->minor);
    CU_ASSERT_EQUAL(m.facts, row->facts);
    if (row->family && m.family.p)
        CU_ASSERT_EQUAL(m.family.n, strlen(row->family));
}

static void test_names(void)
{
    for (size_t i = 0; i < ROWS; i++)
        expect(&rows[i], rows[i].name);
    CU_ASSERT_PTR_NULL(tk_model_of((struct tk_str){0}).family.p);
}

static void test_case_is_ignored(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        char name[128];
        size_t n = strlen(rows[i].name);

        for (size_t k = 0; k <= n; k++)
            name[k] = (char)toupper((unsigned char)rows[i].name[k]);
        expect(&rows[i], name);
    }
}

static void test_a_name_is_anywhere(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        char name[256];

        snprintf(name, sizeof(name), "claude-x/%s/y", rows[i].name);
        expect(&rows[i], name);
    }
}

/* No byte after the name is read: the name is in memory of its own size. */
static void test_names_end(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        size_t n = strlen(rows[i].name);

        for (size_t cut = 0; cut <= n; cut++) {
            char *copy = malloc(cut + 1);

            CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
            memcpy(copy + 1, rows[i].name, cut);
            tk_model_of((struct tk_str){copy + 1, cut});
            free(copy);
        }
    }
}

TAP_MAIN("models", TAP_TEST(test_names), TAP_TEST(test_case_is_ignored),
         TAP_TEST(test_a_name_is_anywhere), TAP_TEST(test_names_end))
