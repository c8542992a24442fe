/* SPDX-License-Identifier: Apache-2.0 */
/* tools: merges additions into a request's tools, and completes its beta values (PROTOCOL 5.6). */
#include "methods/params/providers.h"
#include "methods/prepare/answer_refusal.h"
#include "methods/prepare/tools_step.h"
#include "operations/body.h"

/* Writes the changes of the body that was sent. */
static void write_body_splices(struct tk_writer *w, const struct tk_tools_step *m)
{
    const struct tk_body_input body = {.arena = m->rq->arena,
                                       .hash_key = m->rq->hash_key,
                                       .codec = m->rq->codec,
                                       .request = m->in.request,
                                       .tools = &m->tools};
    struct tk_member_change changes[TK_BODY_CHANGES_MAX + 1];
    size_t n = tk_body_changes(&body, changes);
    struct tk_rewrite made;

    if (m->sets_betas)
        changes[n++] = tk_betas_change(m);
    tk_rewrite_begin(&made, m->in.request, NULL, m->rq->arena);
    tk_write_with_changes(&made.w, m->in.request, changes, n);
    tk_rewrite_write(&made, w, "splices");
}

/* Writes the changes of the list of tools that was sent alone. */
static void write_list_splices(struct tk_writer *w, const struct tk_tools_step *m)
{
    struct tk_rewrite made;

    if (!m->tools.tools.changed)
        return;
    tk_rewrite_begin(&made, m->in.tools, NULL, m->rq->arena);
    tk_tools_write_list(&made.w, &m->tools.tools);
    tk_rewrite_write(&made, w, "splices");
}

/* Writes the tools in the form that the parameter `return` asks for. */
static void write_outcome(struct tk_writer *w, const struct tk_tools_step *m)
{
    enum tk_word form = tk_param_word(&m->rq->params, TK_P_RETURN);

    if (form == TK_WORD_TOOLS) {
        tk_write_key(w, "tools");
        tk_tools_write_list(w, &m->tools.tools);
        return;
    }
    if (form == TK_WORD_SPLICES) {
        (tk_exists(m->in.request) ? write_body_splices : write_list_splices)(w, m);
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
