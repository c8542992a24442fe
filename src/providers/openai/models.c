/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/models.h"

#include "providers/common/models.h"

/* A word in a model's name, in lower case, and what it says. */
struct model_row {
    struct tk_str word;
    bool starts; /* the name begins with it; else it may be anywhere */
    uint32_t on; /* TK_OPENAI_OWN or TK_OPENAI_COPY: the servers that it holds for */
    uint32_t facts;
};

/* clang-format off */
static const struct model_row rows[] = {
    /* api-docs.deepseek.com "Create Chat Completion": content is a string, roles have no developer */
    {TK_STR_INIT("deepseek"), false, TK_OPENAI_COPY, TK_OPENAI_DEEPSEEK},
    /* docs.mistral.ai "Function calling", and the templates in mistral-common */
    {TK_STR_INIT("mistral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("mixtral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("ministral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("codestral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("devstral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("magistral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("pixtral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    {TK_STR_INIT("voxtral"), false, TK_OPENAI_COPY, TK_OPENAI_MISTRAL},
    /* the chat template of gemma: "Conversation roles must alternate" */
    {TK_STR_INIT("gemma"), false, TK_OPENAI_COPY, TK_OPENAI_GEMMA},
    /* the chat template of Qwen3.5: "System message must be at the beginning." */
    {TK_STR_INIT("qwen3."), false, TK_OPENAI_COPY, TK_OPENAI_QWEN},
    {TK_STR_INIT("qwen-3."), false, TK_OPENAI_COPY, TK_OPENAI_QWEN},
    /* api-docs.deepseek.com "Thinking mode"; platform.moonshot.ai; MiMo's model card */
    {TK_STR_INIT("deepseek-reasoner"), false, TK_OPENAI_COPY, TK_OPENAI_REASONS},
    {TK_STR_INIT("deepseek-v4"), false, TK_OPENAI_COPY, TK_OPENAI_REASONS},
    {TK_STR_INIT("mimo"), false, TK_OPENAI_COPY, TK_OPENAI_REASONS},
    {TK_STR_INIT("kimi-k2.5"), false, TK_OPENAI_COPY, TK_OPENAI_REASONS},
    {TK_STR_INIT("kimi-k2.6"), false, TK_OPENAI_COPY, TK_OPENAI_REASONS},
    {TK_STR_INIT("kimi-k2-thinking"), false, TK_OPENAI_COPY, TK_OPENAI_REASONS},
    /* platform.openai.com "Reasoning models", the beta's limits */
    {TK_STR_INIT("o1-mini"), true, TK_OPENAI_OWN, TK_OPENAI_NO_SYSTEM},
    {TK_STR_INIT("o1-preview"), true, TK_OPENAI_OWN, TK_OPENAI_NO_SYSTEM},
};
/* A known server, whatever the model's name: facts that are added, and facts that aren't true there. */
static const struct {
    uint32_t facts, without;
} servers[] = {
    [TK_SERVER_DEEPSEEK] = {TK_OPENAI_DEEPSEEK, 0},
    [TK_SERVER_GROQ] = {TK_OPENAI_STRICT, TK_OPENAI_REASONS},
    [TK_SERVER_MISTRAL] = {TK_OPENAI_STRICT | TK_OPENAI_MISTRAL | TK_OPENAI_TAKES_USER_AFTER_TOOL,
                           TK_OPENAI_REASONS},
    [TK_SERVER_MOONSHOT] = {0, 0},
    [TK_SERVER_OPENROUTER] = {TK_OPENAI_TAKES_DEVELOPER | TK_OPENAI_TAKES_USER_AFTER_TOOL,
                              TK_OPENAI_REASONS},
    [TK_SERVER_VLLM] = {0, 0},
    [TK_SERVER_XAI] = {0, TK_OPENAI_REASONS},
};
/* clang-format on */

/* Mistral's own server takes a user's message after a tool's; names of this form are its names. */
static const struct tk_str newest = TK_STR_INIT("-latest");

static bool fits(const struct model_row *row, struct tk_str name)
{
    return row->starts ? tk_word_is_at(name, 0, row->word)
                       : tk_find_name_word(name, 0, row->word) != SIZE_MAX;
}

/* Returns what the server says, and without one the form of the model's name. */
static uint32_t facts_of_server(const struct tk_target *target, uint32_t facts)
{
    struct tk_str name = target->model;

    if (target->server != TK_SERVER_UNKNOWN)
        return (facts | servers[target->server].facts) & ~servers[target->server].without;
    if (tk_name_ends(name, newest))
        facts |= TK_OPENAI_TAKES_USER_AFTER_TOOL;
    return facts;
}

uint32_t tk_openai_facts(const struct tk_target *target)
{
    uint32_t server = target->endpoint == TK_ENDPOINT_COMPATIBLE ? TK_OPENAI_COPY : TK_OPENAI_OWN;
    uint32_t facts = server | (target->endpoint == TK_ENDPOINT_AZURE ? TK_OPENAI_AZURE : 0);

    for (size_t i = 0; target->model.p && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].on == server && fits(&rows[i], target->model))
            facts |= rows[i].facts;
    return server == TK_OPENAI_COPY ? facts_of_server(target, facts) : facts;
}
