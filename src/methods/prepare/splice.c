/* SPDX-License-Identifier: Apache-2.0 */
/* splice: puts a turn, its results and appended messages in order (PROTOCOL 5.5). */
#include "methods/params/providers.h"
#include "methods/prepare/answer_refusal.h"
#include "methods/prepare/splice_step.h"
#include "operations/body.h"

/* Writes the changes of the body that was sent, or of the history if it was sent alone. */
static void write_splices(struct tk_writer *w, const struct tk_request *rq,
                          const struct tk_splice_input *in, const struct tk_spliced *s)
{
    const struct tk_body_input body = {.arena = rq->arena,
                                       .hash_key = rq->hash_key,
                                       .codec = rq->codec,
                                       .request = in->request,
                                       .spliced = s};
    struct tk_member_change changes[TK_BODY_CHANGES_MAX];
    struct tk_rewrite made;

    if (tk_exists(in->request)) {
        size_t n = tk_body_changes(&body, changes);

        tk_rewrite_begin(&made, in->request, NULL, rq->arena);
        tk_write_with_changes(&made.w, in->request, changes, n);
    } else {
        tk_rewrite_begin(&made, in->messages, NULL, rq->arena);
        tk_splice_write_messages(&made.w, s);
    }
    tk_rewrite_write(&made, w, "splices");
}

/* Writes the history in the form that the parameter `return` asks for. */
static void write_outcome(struct tk_writer *w, const struct tk_request *rq,
                          const struct tk_splice_input *in, const struct tk_spliced *s)
{
    enum tk_word form = tk_param_word(&rq->params, TK_P_RETURN);

    if (form == TK_WORD_PATCH) {
        tk_write_key(w, "patch");
        tk_write_list(w);
        tk_splice_write_operations(w, s, tk_exists(in->request));
        tk_write_end(w);
    } else if (form == TK_WORD_MESSAGES) {
        tk_write_key(w, "messages");
        tk_splice_write_messages(w, s);
    } else {
        write_splices(w, rq, in, s);
    }
}

static int answer(struct tk_request *rq, const struct tk_splice_input *in,
                  const struct tk_spliced *s)
{
    struct tk_writer *w = tk_answer_begin_result(rq);

    tk_write_map(w);
    tk_write_kv_cstr(w, "action", tk_splice_action_name(s->action));
    write_outcome(w, rq, in, s);
    tk_write_deferred(w, s);
    if (tk_exists(s->set)) {
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
    struct tk_splice_input in;
    struct tk_spliced spliced;
    int r = tk_splice_step_input(rq, &in);

    if (r < 0)
        return r;
    if (!in.provider->splice)
        return tk_refuse_provider(rq, TK_P_PROVIDER);
    r = tk_splice(&in, &spliced);
    if (r == TK_REFUSED)
        return tk_answer_refusal(rq, &spliced.refusal);
    return r < 0 ? r : answer(rq, &in, &spliced);
}
