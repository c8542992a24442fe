/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/refusals/refusal.h"

#include <string.h>

/* Bedrock runs models of Anthropic, and passes on what they refuse (PROTOCOL 5.10). */
static const struct tk_passed_on passed_on[] = {
    {"bedrock", "anthropic", "the model returned the following errors"},
};

static const struct tk_passed_on *passed_on_by(const char *provider)
{
    for (size_t i = 0; provider && i < sizeof(passed_on) / sizeof(passed_on[0]); i++)
        if (strcmp(passed_on[i].by, provider) == 0)
            return &passed_on[i];
    return NULL;
}

int tk_explain_refusal(struct tk_request *rq, struct tk_explanation *ret)
{
    enum tk_word word = tk_param_word(&rq->params, TK_P_PROVIDER);
    const char *provider = word == TK_WORD_NONE ? NULL : tk_word_name(word);
    struct tk_str text = tk_text(tk_param(&rq->params, TK_P_TEXT), rq->arena);

    return tk_explain(text, provider, passed_on_by(provider), rq->arena, ret);
}
