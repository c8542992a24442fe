/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/models.h"

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
/* clang-format on */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool is_at(struct tk_str name, size_t at, struct tk_str word)
{
    size_t i = 0;

    while (i < word.n && at + i < name.n && lower(name.p[at + i]) == word.p[i])
        i++;
    return i == word.n;
}

static bool fits(const struct model_row *row, struct tk_str name)
{
    for (size_t at = 0; at < name.n; at++)
        if (is_at(name, at, row->word))
            return true;
        else if (row->starts)
            return false;
    return false;
}

uint32_t tk_openai_facts(const struct tk_target *target)
{
    uint32_t server = target->endpoint == TK_ENDPOINT_COMPATIBLE ? TK_OPENAI_COPY : TK_OPENAI_OWN;
    uint32_t facts = server | (target->endpoint == TK_ENDPOINT_AZURE ? TK_OPENAI_AZURE : 0);

    for (size_t i = 0; target->model.p && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (rows[i].on == server && fits(&rows[i], target->model))
            facts |= rows[i].facts;
    return facts;
}
