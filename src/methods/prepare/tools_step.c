/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/prepare/tools_step.h"

#include "methods/params/providers.h"
#include "providers/tools.h"
#include "value/patch.h"

static const enum tk_tools_conflict conflicts[TK_WORD_COUNT] = {
    [TK_WORD_REPLACE] = TK_TOOLS_REPLACE,
    [TK_WORD_NEWEST] = TK_TOOLS_NEWEST,
    [TK_WORD_KEEP_BASE] = TK_TOOLS_KEEP_BASE,
    [TK_WORD_REPLACE_CUSTOM] = TK_TOOLS_REPLACE_CUSTOM,
};

/* Returns the step's own parameter if it was sent, else the parameter for all steps. */
static enum tk_word own_or(const struct tk_params *p, enum tk_param own, enum tk_param all)
{
    enum tk_word word = tk_param_word(p, own);

    return word != TK_WORD_NONE ? word : tk_param_word(p, all);
}

static enum tk_word endpoint(const struct tk_params *p)
{
    return own_or(p, TK_P_TOOLS_ENDPOINT, TK_P_TARGET_ENDPOINT);
}

bool tk_tools_step_is_bedrock(const struct tk_tools_step *m)
{
    return endpoint(&m->rq->params) == TK_WORD_BEDROCK;
}

/* ---- tools ---- */

const struct tk_provider *tk_tools_step_provider(const struct tk_params *p)
{
    return tk_provider_of(own_or(p, TK_P_TOOLS_PROVIDER, TK_P_PROVIDER));
}

int tk_tools_step_merge(struct tk_tools_step *m, struct tk_request *rq, bool mid_conversation)
{
    const struct tk_params *p = &rq->params;

    *m = (struct tk_tools_step){.rq = rq, .body_betas = TK_NO_VAL};
    m->in = (struct tk_tools_input){
        .arena = rq->arena,
        .hash_key = rq->hash_key,
        .codec = rq->codec,
        .tools = tk_param(p, TK_P_TOOLS),
        .request = tk_param(p, TK_P_REQUEST),
        .add = tk_param(p, TK_P_ADD),
        .provider = tk_tools_step_provider(p),
        .on_conflict = conflicts[tk_param_word(p, TK_P_ON_CONFLICT)],
        .mid_conversation = mid_conversation,
    };
    return tk_tools_merge(&m->in, &m->tools);
}

/* ---- beta values ---- */

void tk_tools_step_see(struct tk_tools_step *m, const struct tk_request_view *request)
{
    const struct tk_beta_rules *rules = m->in.provider->betas;

    m->in_body = (struct tk_beta_scan){0};
    if (!rules)
        return;
    for (uint32_t i = 0; i < m->tools.tools.count; i++)
        rules->scan_tool(&m->in_body, m->tools.tools.list[i].val, m->rq->arena);
    rules->scan_request(&m->in_body, request);
    if (m->tools.servers.count > 0)
        rules->scan_servers(&m->in_body);
}

void tk_tools_step_see_messages(struct tk_tools_step *m, struct tk_val messages)
{
    const struct tk_beta_rules *rules = m->in.provider->betas;

    m->in_messages = (struct tk_beta_scan){0};
    if (rules)
        tk_beta_scan_messages(&m->in_messages, rules, m->in.provider->rules.shapes[0], messages,
                              m->rq->arena);
}

int tk_tools_step_betas(struct tk_tools_step *m, const struct tk_request_view *request,
                        struct tk_val messages)
{
    const struct tk_beta_rules *rules = m->in.provider->betas;
    struct tk_val lines = tk_param(&m->rq->params, TK_P_BETAS);
    struct tk_beta_scan seen;

    tk_betas_init(&m->betas, m->rq->arena, m->rq->hash_key);
    if (!rules)
        return 0;
    tk_tools_step_see(m, request);
    tk_tools_step_see_messages(m, messages);
    seen = tk_beta_both(m->in_body, m->in_messages);
    tk_betas_add(&m->betas, lines);
    if (tk_tools_step_is_bedrock(m)) {
        m->body_betas = tk_get(request->body, tk_str_of(rules->member));
        tk_betas_add(&m->betas, m->body_betas);
    }
    return tk_betas_check(&m->betas, rules, &seen, tk_exists(lines) ? lines : m->body_betas,
                          &m->tools.refusal);
}

static struct tk_beta_call call_of(const struct tk_params *p)
{
    return (struct tk_beta_call){
        .vertex = endpoint(p) == TK_WORD_VERTEX,
        .count_tokens = tk_param_word(p, TK_P_CALL) == TK_WORD_COUNT_TOKENS,
        .interleaved = tk_param_bool(p, TK_P_INTERLEAVED),
        .legacy = tk_param_bool(p, TK_P_LEGACY_BETAS),
    };
}

struct tk_known_betas tk_tools_step_known(const struct tk_tools_step *m)
{
    const struct tk_beta_rules *rules = m->in.provider->betas;
    const struct tk_beta_scan seen = tk_beta_both(m->in_body, m->in_messages);
    const struct tk_beta_call call = call_of(&m->rq->params);

    return rules ? tk_betas_known(&m->betas, rules, &seen, &call) : (struct tk_known_betas){0};
}

int tk_tools_step_complete(struct tk_tools_step *m, const struct tk_request_view *request)
{
    const struct tk_beta_rules *rules = m->in.provider->betas;
    const struct tk_beta_scan seen = tk_beta_both(m->in_body, m->in_messages);
    const struct tk_beta_call call = call_of(&m->rq->params);
    int r;

    if (!rules)
        return 0;
    r = tk_betas_complete(&m->betas, rules, &seen, &call);
    m->sets_betas = tk_tools_step_is_bedrock(m) && tk_exists(request->body) &&
                    (m->betas.count > 0 || tk_exists(m->body_betas)) &&
                    !tk_betas_equal(&m->betas, m->body_betas);
    return r;
}

/* ---- the outcome on the wire ---- */

void tk_write_betas_operation(struct tk_writer *w, const struct tk_tools_step *m)
{
    tk_patch_set(w, tk_exists(m->body_betas),
                 tk_arena_printf(w->out->arena, "/%s", m->in.provider->betas->member));
    tk_betas_write(w, &m->betas, 0);
    tk_write_end(w);
}

static void write_betas(struct tk_writer *w, const void *arg)
{
    tk_betas_write(w, arg, 0);
}

struct tk_member_change tk_betas_change(const struct tk_tools_step *m)
{
    return (struct tk_member_change){tk_str_of(m->in.provider->betas->member), write_betas,
                                     &m->betas};
}

void tk_write_headers(struct tk_writer *w, const struct tk_tools_step *m)
{
    tk_write_key(w, "headers");
    tk_write_map(w);
    if (m->betas.count > 0 && !tk_tools_step_is_bedrock(m)) {
        tk_write_key(w, m->in.provider->betas->header);
        tk_betas_write_header(w, &m->betas);
    }
    tk_write_end(w);
    tk_write_key(w, "betas");
    tk_betas_write(w, &m->betas, 0);
    tk_write_key(w, "added_betas");
    tk_betas_write(w, &m->betas, m->betas.given);
}
