/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/prepare/splice_step.h"

#include "methods/params/providers.h"

struct tk_splice_input tk_splice_step_input(const struct tk_request *rq)
{
    const struct tk_params *p = &rq->params;

    return (struct tk_splice_input){
        .arena = rq->arena,
        .hash_key = rq->hash_key,
        .provider = tk_params_provider(p),
        .messages = tk_param(p, TK_P_MESSAGES),
        .request = tk_param(p, TK_P_REQUEST),
        .assistant = tk_param(p, TK_P_ASSISTANT),
        .tool_results = tk_param(p, TK_P_TOOL_RESULTS),
        .appended = tk_param(p, TK_P_APPENDED),
        .container = tk_param(p, TK_P_CONTAINER),
        .strict = tk_param_word(p, TK_P_SPLICE_MODE) == TK_WORD_STRICT,
        .single = tk_param_word(p, TK_P_SPLICE_MERGE) == TK_WORD_SINGLE,
        .replace_turn = tk_param_word(p, TK_P_SPLICE_ON_ASSISTANT_CONFLICT) == TK_WORD_REPLACE,
        .replace_history = tk_param_word(p, TK_P_SPLICE_COMPACTION) == TK_WORD_REPLACE,
    };
}

void tk_write_deferred(struct tk_writer *w, const struct tk_spliced *s)
{
    if (s->deferred_count == 0)
        return;
    tk_write_key(w, "deferred");
    tk_write_list(w);
    for (uint32_t i = 0; i < s->deferred_count; i++)
        tk_splice_write_message(w, s, &s->deferred[i]);
    tk_write_end(w);
}
