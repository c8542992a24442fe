/* SPDX-License-Identifier: Apache-2.0 */
/* seal: digests of an assistant turn, equal to those at the end of its stream (OPERATIONS.md C.2).
 * */
#include "methods/params/providers.h"
#include "providers/seal_rules.h"

int tk_method_seal(struct tk_request *rq)
{
    const struct tk_seal_rules *rules = tk_params_provider(&rq->params)->seals;
    const struct tk_seal_input in = {
        .content = tk_param(&rq->params, TK_P_CONTENT),
        .request = tk_param(&rq->params, TK_P_REQUEST),
        .messages = tk_param(&rq->params, TK_P_MESSAGES),
        .with_blocks = tk_param_bool(&rq->params, TK_P_BLOCKS),
        .arena = rq->arena,
        .hash_key = rq->hash_key,
    };
    struct tk_writer *w;
    int r;

    if (!rules)
        return tk_refuse_provider(rq, TK_P_PROVIDER);
    w = tk_answer_begin_result(rq);
    tk_write_map(w);
    tk_write_key(w, "seal");
    r = rules->write(w, &in);
    if (r < 0)
        return r;
    tk_write_end(w);
    return tk_answer_end(rq);
}
