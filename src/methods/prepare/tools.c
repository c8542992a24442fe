/* SPDX-License-Identifier: Apache-2.0 */
/* tools: merges additions into a request's tools, and completes its beta values (PROTOCOL 5.6). */
#include "methods/params/providers.h"
#include "methods/prepare/answer_refusal.h"
#include "methods/prepare/tools_step.h"

static void write_outcome(struct tk_writer *w, const struct tk_tools_step *m)
{
    if (tk_param_word(&m->rq->params, TK_P_RETURN) == TK_WORD_TOOLS) {
        tk_write_key(w, "tools");
        tk_tools_write_list(w, &m->tools.tools);
        return;
    }
    tk_write_key(w, "patch");
    tk_write_list(w);
    tk_tools_write_operations(w, &m->tools);
    if (m->sets_betas)
        tk_write_betas_operation(w, m);
    tk_write_end(w);
}

static int answer(const struct tk_tools_step *m)
{
    struct tk_writer *w = tk_answer_begin_result(m->rq);

    tk_write_map(w);
    tk_write_kv_bool(w, "changed",
                     m->tools.tools.changed || m->tools.servers.changed || m->sets_betas);
    write_outcome(w, m);
    tk_write_key(w, "mcp_servers");
    tk_tools_write_new_servers(w, &m->tools);
    tk_write_headers(w, m);
    tk_write_key(w, "notes");
    tk_tools_write_notes(w, &m->tools);
    tk_write_end(w);
    return tk_answer_end(m->rq);
}

int tk_method_tools(struct tk_request *rq)
{
    struct tk_val messages = tk_param(&rq->params, TK_P_MESSAGES);
    struct tk_request_view request;
    struct tk_tools_step m;
    int r;

    if (!tk_params_provider(&rq->params)->tools)
        return tk_refuse_provider(rq, TK_P_PROVIDER);
    r = tk_tools_step_merge(&m, rq, tk_has_assistant_message(messages));
    if (r == 0)
        r = tk_read_request(m.in.provider, m.in.request, rq->arena, &request);
    if (r == 0)
        r = tk_tools_step_betas(&m, &request, messages);
    if (r == 0)
        r = tk_tools_step_complete(&m, &request);
    if (r == TK_REFUSED)
        return tk_answer_refusal(rq, &m.tools.refusal);
    return r < 0 ? r : answer(&m);
}
