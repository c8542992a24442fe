/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about models and servers (PROVIDERS.md 2, "Model names"). */
#include "../../tap.h"
#include "providers/openai/models.h"

#include <ctype.h>
#include <stdlib.h>

#define OWN        TK_OPENAI_OWN
#define AZURE      (TK_OPENAI_OWN | TK_OPENAI_AZURE)
#define COPY       TK_OPENAI_COPY
#define MISTRAL    TK_OPENAI_MISTRAL
#define DEEPSEEK   TK_OPENAI_DEEPSEEK
#define REASONS    TK_OPENAI_REASONS
#define STRICT     TK_OPENAI_STRICT
#define AFTER_TOOL TK_OPENAI_TAKES_USER_AFTER_TOOL

/* A name, and its facts on a copy and on OpenAI's own server, apart from the server. */
static const struct row {
    const char *name;
    uint32_t copy, own;
} rows[] = {
    {"", 0, 0},
    {"gpt-5", 0, 0},
    {"llama-3.3-70b", 0, 0},
    {"mistral-large", MISTRAL, 0},
    {"codestra", 0, 0},
    {"mixtral-8x7b", MISTRAL, 0},
    {"ministral-3b", MISTRAL, 0},
    {"codestral-2501", MISTRAL, 0},
    {"devstral-small", MISTRAL, 0},
    {"magistral-medium", MISTRAL, 0},
    {"pixtral-12b", MISTRAL, 0},
    {"voxtral-mini", MISTRAL, 0},
    {"mistra", 0, 0},
    {"gemma-3-27b-it", TK_OPENAI_GEMMA, 0},
    {"gemm", 0, 0},
    {"qwen3.6-27b", TK_OPENAI_QWEN, 0},
    {"qwen-3.5", TK_OPENAI_QWEN, 0},
    {"qwen3-32b", 0, 0},
    {"qwen2.5-72b", 0, 0},
    {"deepseek-chat", DEEPSEEK, 0},
    {"deepseek-reasoner", DEEPSEEK | REASONS, 0},
    {"deepseek-v4", DEEPSEEK | REASONS, 0},
    {"deepseek-v3", DEEPSEEK, 0},
    {"mimo-7b", REASONS, 0},
    {"kimi-k2.5", REASONS, 0},
    {"kimi-k2.6-turbo", REASONS, 0},
    {"kimi-k2-thinking", REASONS, 0},
    {"kimi-k2", 0, 0},
    {"o1-mini", 0, TK_OPENAI_NO_SYSTEM},
    {"o1-preview-2024-09-12", 0, TK_OPENAI_NO_SYSTEM},
    {"o1", 0, 0},
    {"o1-pro", 0, 0},
};

enum {
    ROWS = sizeof(rows) / sizeof(rows[0]),
};

static uint32_t facts_on(enum tk_endpoint endpoint, const char *name)
{
    return tk_openai_facts(&(struct tk_target){.endpoint = endpoint, .model = tk_str_of(name)});
}

static void expect(const struct row *row, const char *name)
{
    CU_ASSERT_EQUAL(facts_on(TK_ENDPOINT_COMPATIBLE, name), COPY | row->copy);
    CU_ASSERT_EQUAL(facts_on(TK_ENDPOINT_OWN, name), OWN | row->own);
    CU_ASSERT_EQUAL(facts_on(TK_ENDPOINT_AZURE, name), AZURE | row->own);
}

static void test_names(void)
{
    for (size_t i = 0; i < ROWS; i++)
        expect(&rows[i], rows[i].name);
}

static void test_case_is_ignored(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        char name[64];
        size_t n = strlen(rows[i].name);

        for (size_t k = 0; k <= n; k++)
            name[k] = (char)toupper((unsigned char)rows[i].name[k]);
        expect(&rows[i], name);
    }
}

/* Gateways write their own name before the model's; only those of OpenAI's must be at the start. */
static void test_a_name_is_anywhere_on_a_copy(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        struct row row = {rows[i].name, rows[i].copy, 0};
        char name[128];

        snprintf(name, sizeof(name), "gateway/%s:free", rows[i].name);
        expect(&row, name);
    }
}

static void test_without_a_model_the_server_is_known(void)
{
    CU_ASSERT_EQUAL(tk_openai_facts(&(struct tk_target){.endpoint = TK_ENDPOINT_OWN}), OWN);
    CU_ASSERT_EQUAL(tk_openai_facts(&(struct tk_target){.endpoint = TK_ENDPOINT_AZURE}), AZURE);
    CU_ASSERT_EQUAL(tk_openai_facts(&(struct tk_target){.endpoint = TK_ENDPOINT_COMPATIBLE}), COPY);
}

static uint32_t facts_at(enum tk_server server, const char *model)
{
    return tk_openai_facts(&(struct tk_target){
        .endpoint = TK_ENDPOINT_COMPATIBLE, .server = server, .model = tk_str_of(model)});
}

/* PROVIDERS.md 3.1: what each server adds, and what it makes silent. */
static void test_servers(void)
{
    static const struct {
        enum tk_server server;
        uint32_t adds, silences;
    } servers[] = {
        {TK_SERVER_DEEPSEEK, DEEPSEEK, 0},
        {TK_SERVER_GROQ, STRICT, REASONS},
        {TK_SERVER_MISTRAL, STRICT | MISTRAL | AFTER_TOOL, REASONS},
        {TK_SERVER_MOONSHOT, 0, 0},
        {TK_SERVER_OPENROUTER, TK_OPENAI_TAKES_DEVELOPER | AFTER_TOOL, REASONS},
        {TK_SERVER_VLLM, 0, 0},
        {TK_SERVER_XAI, 0, REASONS},
    };

    for (size_t k = 0; k < sizeof(servers) / sizeof(servers[0]); k++)
        for (size_t i = 0; i < ROWS; i++)
            CU_ASSERT_EQUAL(facts_at(servers[k].server, rows[i].name),
                            ((COPY | rows[i].copy) & ~servers[k].silences) | servers[k].adds);
}

static void test_names_of_mistral(void)
{
    CU_ASSERT_EQUAL(facts_at(TK_SERVER_UNKNOWN, "mistral-large-latest"),
                    COPY | MISTRAL | AFTER_TOOL);
    CU_ASSERT_EQUAL(facts_at(TK_SERVER_UNKNOWN, "Mistral-Large-LATEST"),
                    COPY | MISTRAL | AFTER_TOOL);
    CU_ASSERT_EQUAL(facts_at(TK_SERVER_UNKNOWN, "mistral-latest-24"), COPY | MISTRAL);
    CU_ASSERT_EQUAL(facts_at(TK_SERVER_UNKNOWN, "latest"), COPY);
    CU_ASSERT_EQUAL(facts_at(TK_SERVER_VLLM, "mistral-large-latest"), COPY | MISTRAL);
    CU_ASSERT_EQUAL(facts_at(TK_SERVER_GROQ, "mistral-large-latest"), COPY | MISTRAL | STRICT);
    CU_ASSERT_EQUAL(facts_on(TK_ENDPOINT_OWN, "mistral-large-latest"), OWN);
}

/* No byte after the name is read: the name is in memory of its own size. */
static void test_names_end(void)
{
    for (size_t i = 0; i < ROWS; i++)
        for (size_t cut = 0; cut <= strlen(rows[i].name); cut++) {
            char *copy = malloc(cut + 1);

            CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
            memcpy(copy + 1, rows[i].name, cut);
            tk_openai_facts(
                &(struct tk_target){.endpoint = TK_ENDPOINT_COMPATIBLE, .model = {copy + 1, cut}});
            tk_openai_facts(
                &(struct tk_target){.endpoint = TK_ENDPOINT_OWN, .model = {copy + 1, cut}});
            free(copy);
        }
}

TAP_MAIN("openai_models", TAP_TEST(test_names), TAP_TEST(test_case_is_ignored),
         TAP_TEST(test_a_name_is_anywhere_on_a_copy),
         TAP_TEST(test_without_a_model_the_server_is_known), TAP_TEST(test_servers),
         TAP_TEST(test_names_of_mistral), TAP_TEST(test_names_end))
