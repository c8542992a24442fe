/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/prepare/splice_step.h"

#include "methods/history/read_history.h"
#include "methods/params/providers.h"

int tk_splice_step_input(const struct tk_request *rq, struct tk_splice_input *ret)
{
    const struct tk_params *p = &rq->params;
    struct tk_request_view request;
    int r;

    *ret = (struct tk_splice_input){
        .arena = rq->arena,
        .hash_key = rq->hash_key,
        .provider = tk_params_provider(p),
        .messages = tk_param(p, TK_P_MESSAGES),
        .request = tk_param(p, TK_P_REQUEST),
        .assistant = tk_param(p, TK_P_ASSISTANT),
        .tool_results = tk_param(p, TK_P_TOOL_RESULTS),
        .appended = tk_param(p, TK_P_APPENDED),
        .container = tk_param(p, TK_P_CONTAINER),
        .choice = (uint32_t)tk_param_int(p, TK_P_SPLICE_CHOICE),
        .strict = tk_param_word(p, TK_P_SPLICE_MODE) == TK_WORD_STRICT,
        .single = tk_param_word(p, TK_P_SPLICE_MERGE) == TK_WORD_SINGLE,
        .replace_turn = tk_param_word(p, TK_P_SPLICE_ON_ASSISTANT_CONFLICT) == TK_WORD_REPLACE,
        .replace_history = tk_param_word(p, TK_P_SPLICE_COMPACTION) == TK_WORD_REPLACE,
        .chain = tk_param_word(p, TK_P_SPLICE_STATE) == TK_WORD_CHAIN,
    };
    r = tk_read_request(ret->provider, ret->request, rq->arena, &request);
    return r == 0 ? tk_read_target(rq, &request, &ret->target) : r;
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
