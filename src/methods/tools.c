/* SPDX-License-Identifier: Apache-2.0 */
/* tools: additions merged into a request's tools, and its beta values (PROTOCOL 5.6). */
#include "operations/tools/tools.h"
#include "methods/refusing.h"
#include "operations/tools/beta.h"

#include <errno.h>

static const enum tk_tool_provider providers[TK_WORD_COUNT] = {
    [TK_WORD_ANTHROPIC] = TK_TOOLS_ANTHROPIC,
    [TK_WORD_OPENAI_RESPONSES] = TK_TOOLS_OPENAI_RESPONSES,
    [TK_WORD_AZURE_RESPONSES] = TK_TOOLS_AZURE_RESPONSES,
    [TK_WORD_GEMINI] = TK_TOOLS_GEMINI,
    [TK_WORD_XAI_RESPONSES] = TK_TOOLS_XAI_RESPONSES,
};

static const enum tk_tools_conflict conflicts[TK_WORD_COUNT] = {
    [TK_WORD_REPLACE] = TK_TOOLS_REPLACE,
    [TK_WORD_NEWEST] = TK_TOOLS_NEWEST,
    [TK_WORD_KEEP_BASE] = TK_TOOLS_KEEP_BASE,
    [TK_WORD_REPLACE_CUSTOM] = TK_TOOLS_REPLACE_CUSTOM,
};

/* What one call is about. */
struct merging {
    struct tk_request *rq;
    struct tk_tools_input in;
    struct tk_tools tools;
    struct tk_betas betas;
    bool sets_betas; /* the body says the values, and has to say others */
};

static struct tk_tools_input input_of(const struct tk_request *rq)
{
    const struct tk_params *p = &rq->params;

    return (struct tk_tools_input){
        .arena = rq->arena,
        .hash_key = rq->hash_key,
        .codec = rq->codec,
        .tools = tk_param(p, TK_P_TOOLS),
        .request = tk_param(p, TK_P_REQUEST),
        .add = tk_param(p, TK_P_ADD),
        .provider = providers[tk_param_word(p, TK_P_PROVIDER)],
        .on_conflict = conflicts[tk_param_word(p, TK_P_ON_CONFLICT)],
        .mid_conversation = tk_has_assistant_message(tk_param(p, TK_P_MESSAGES)),
    };
}

/* ---- beta values ---- */

static struct tk_beta_scan scan(const struct merging *m)
{
    struct tk_beta_scan scan = {0};
    struct tk_arena *arena = m->rq->arena;

    for (uint32_t i = 0; i < m->tools.tools.count; i++)
        tk_beta_scan_tool(&scan, m->tools.tools.list[i].val, arena);
    tk_beta_scan_messages(&scan, tk_param(&m->rq->params, TK_P_MESSAGES), arena);
    tk_beta_scan_body(&scan, m->in.request, arena);
    if (m->tools.servers.count > 0)
        tk_beta_see(&scan, TK_BETA_MCP_SERVERS);
    return scan;
}

static struct tk_beta_call call_of(const struct tk_params *p)
{
    return (struct tk_beta_call){
        .vertex = tk_param_word(p, TK_P_TARGET_ENDPOINT) == TK_WORD_VERTEX,
        .count_tokens = tk_param_word(p, TK_P_CALL) == TK_WORD_COUNT_TOKENS,
        .interleaved = tk_param_bool(p, TK_P_INTERLEAVED),
        .legacy = tk_param_bool(p, TK_P_LEGACY_BETAS),
    };
}

static bool is_bedrock(const struct merging *m)
{
    return tk_param_word(&m->rq->params, TK_P_TARGET_ENDPOINT) == TK_WORD_BEDROCK;
}

static struct tk_val body_betas(const struct merging *m)
{
    return tk_get(m->in.request, TK_STR("anthropic_beta"));
}

/* The lines that hold what the caller is blamed for. */
static struct tk_val callers_lines(const struct merging *m)
{
    struct tk_val lines = tk_param(&m->rq->params, TK_P_BETAS);

    return tk_exists(lines) ? lines : body_betas(m);
}

static int complete_betas(struct merging *m)
{
    const struct tk_beta_scan seen = scan(m);
    const struct tk_beta_call call = call_of(&m->rq->params);
    int r;

    tk_betas_init(&m->betas, m->rq->arena, m->rq->hash_key);
    if (!tk_tool_providers[m->in.provider].has_betas)
        return 0;
    tk_betas_add(&m->betas, tk_param(&m->rq->params, TK_P_BETAS));
    if (is_bedrock(m))
        tk_betas_add(&m->betas, body_betas(m));
    r = tk_betas_check(&m->betas, &seen, callers_lines(m), &m->tools.refusal);
    if (r == 0)
        r = tk_betas_complete(&m->betas, &seen, &call);
    m->sets_betas = is_bedrock(m) && tk_exists(m->in.request) &&
                    (m->betas.count > 0 || tk_exists(body_betas(m))) &&
                    !tk_betas_equal(&m->betas, body_betas(m));
    return r;
}

/* ---- the answer ---- */

static void write_betas_operation(struct tk_writer *w, const struct merging *m)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "op", tk_exists(body_betas(m)) ? "replace" : "add");
    tk_write_kv_cstr(w, "path", "/anthropic_beta");
    tk_write_key(w, "value");
    tk_betas_write(w, &m->betas, 0);
    tk_write_end(w);
}

static void write_outcome(struct tk_writer *w, const struct merging *m)
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
        write_betas_operation(w, m);
    tk_write_end(w);
}

static void write_headers(struct tk_writer *w, const struct merging *m)
{
    tk_write_key(w, "headers");
    tk_write_map(w);
    if (m->betas.count > 0 && !is_bedrock(m)) {
        tk_write_key(w, "anthropic-beta");
        tk_betas_write_header(w, &m->betas);
    }
    tk_write_end(w);
    tk_write_key(w, "betas");
    tk_betas_write(w, &m->betas, 0);
    tk_write_key(w, "added_betas");
    tk_betas_write(w, &m->betas, m->betas.given);
}

static int answer(const struct merging *m)
{
    struct tk_writer *w = tk_answer_begin_result(m->rq);

    tk_write_map(w);
    tk_write_kv_bool(w, "changed",
                     m->tools.tools.changed || m->tools.servers.changed || m->sets_betas);
    write_outcome(w, m);
    tk_write_key(w, "mcp_servers");
    tk_tools_write_new_servers(w, &m->tools);
    write_headers(w, m);
    tk_write_key(w, "notes");
    tk_tools_write_notes(w, &m->tools);
    tk_write_end(w);
    return tk_answer_end(m->rq);
}

int tk_method_tools(struct tk_request *rq)
{
    struct merging m = {.rq = rq, .in = input_of(rq)};
    int r = tk_tools_merge(&m.in, &m.tools);

    if (r == 0)
        r = complete_betas(&m);
    if (r == TK_REFUSED)
        return tk_answer_refusal(rq, &m.tools.refusal);
    return r < 0 ? r : answer(&m);
}
