/* SPDX-License-Identifier: Apache-2.0 */
/* splice: a turn, its results and what was appended, in order (PROTOCOL 5.5). */
#include "operations/splice/splice.h"
#include "methods/refusing.h"

static struct tk_splice_input input_of(const struct tk_request *rq)
{
    const struct tk_params *p = &rq->params;

    return (struct tk_splice_input){
        .arena = rq->arena,
        .hash_key = rq->hash_key,
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

static void write_deferred(struct tk_writer *w, const struct tk_splicing *s)
{
    tk_write_key(w, "deferred");
    tk_write_list(w);
    for (uint32_t i = 0; i < s->deferred_count; i++)
        tk_splice_write_message(w, &s->deferred[i]);
    tk_write_end(w);
}

static int answer(struct tk_request *rq, const struct tk_splice_input *in,
                  const struct tk_splicing *s)
{
    struct tk_writer *w = tk_answer_begin_result(rq);

    tk_write_map(w);
    tk_write_kv_cstr(w, "action", tk_splice_action_name(s->action));
    if (tk_param_word(&rq->params, TK_P_RETURN) == TK_WORD_PATCH) {
        tk_write_key(w, "patch");
        tk_write_list(w);
        tk_splice_write_operations(w, s, tk_exists(in->request));
        tk_write_end(w);
    } else {
        tk_write_key(w, "messages");
        tk_splice_write_messages(w, s, in->messages);
    }
    if (s->deferred_count > 0)
        write_deferred(w, s);
    if (tk_exists(s->container)) {
        tk_write_key(w, "set");
        tk_splice_write_set(w, s);
    }
    tk_write_key(w, "notes");
    tk_splice_write_notes(w, s);
    tk_write_end(w);
    return tk_answer_end(rq);
}

int tk_method_splice(struct tk_request *rq)
{
    const struct tk_splice_input in = input_of(rq);
    struct tk_splicing spliced;
    int r = tk_splice(&in, &spliced);

    if (r == TK_REFUSED)
        return tk_answer_refusal(rq, &spliced.refusal);
    return r < 0 ? r : answer(rq, &in, &spliced);
}
