/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/bedrock/models.h"

#include "providers/common/claude.h"
#include "providers/common/models.h"

static const struct {
    struct tk_str vendor; /* followed by a dot in the id */
    uint32_t facts;
} vendors[] = {
    {TK_STR_INIT("amazon"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("meta"), TK_BRK_USER_FIRST | TK_BRK_RESULTS_ALONE},
    {TK_STR_INIT("mistral"), TK_BRK_USER_FIRST | TK_BRK_RESULTS_ALONE},
    {TK_STR_INIT("cohere"), TK_BRK_USER_FIRST | TK_BRK_RESULTS_ALONE},
    {TK_STR_INIT("ai21"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("deepseek"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("openai"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("qwen"), 0},
    {TK_STR_INIT("writer"), TK_BRK_USER_FIRST | TK_BRK_NO_STATUS},
    {TK_STR_INIT("nvidia"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("google"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("minimax"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("moonshot"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("moonshotai"), TK_BRK_USER_FIRST},
    {TK_STR_INIT("zai"), TK_BRK_USER_FIRST},
};

static uint32_t claude_facts(struct tk_str name)
{
    struct tk_model model = tk_model_of(name);

    return TK_BRK_CLAUDE |
           (model.facts & TK_MODEL_TAKES_NO_PREFILL ? (uint32_t)TK_BRK_NO_PREFILL : 0);
}

/* Returns true if a word of the name begins at this byte. */
static bool begins_word(struct tk_str name, size_t at)
{
    return at == 0 || name.p[at - 1] == '.' || name.p[at - 1] == '/' || name.p[at - 1] == ':';
}

/* Returns true if the vendor and a dot are in the name at this byte. */
static bool is_vendor_at(struct tk_str name, size_t at, struct tk_str vendor)
{
    return tk_word_is_at(name, at, vendor) && at + vendor.n < name.n &&
           name.p[at + vendor.n] == '.';
}

uint32_t tk_brk_facts(struct tk_str name)
{
    if (tk_find_name_word(name, 0, TK_STR("anthropic")) != SIZE_MAX ||
        tk_find_name_word(name, 0, TK_STR("claude")) != SIZE_MAX)
        return claude_facts(name);
    for (size_t at = 0; at < name.n; at++)
        for (size_t i = 0; begins_word(name, at) && i < sizeof(vendors) / sizeof(vendors[0]); i++)
            if (is_vendor_at(name, at, vendors[i].vendor))
                return TK_BRK_OTHER_VENDOR | vendors[i].facts;
    return 0;
}
