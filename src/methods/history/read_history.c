/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/history/read_history.h"

#include <errno.h>

#include "engine/edit/edit.h"
#include "methods/history/seals.h"
#include "methods/params/formats.h"
#include "methods/params/providers.h"
#include "providers/betas.h"
#include "shapes/read.h"
#include "shapes/shape.h"

/* Most findings that an answer lists (PROTOCOL section 4). */
#define MOST_VIOLATIONS 10000

static int read_messages(struct tk_request *rq, struct tk_val messages,
                         struct tk_history_input *ret)
{
    int r = tk_provenance_param(rq, &ret->answered);

    if (r < 0 || ret->answered)
        return r;
    r = tk_transcript_read(&ret->transcript, messages, tk_params_dialect(&rq->params), rq->arena,
                           rq->hash_key);
    if (r == 0 && !rq->method->looks)
        r = tk_check_format_of(rq, &ret->transcript);
    ret->answered = rq->state == TK_ANSWER_DONE;
    return r;
}

int tk_history_read_list(struct tk_request *rq, const struct tk_request_view *request,
                         struct tk_val messages, struct tk_history_input *ret)
{
    const struct tk_beta_rules *betas = tk_params_provider(&rq->params)->betas;

    tk_params_policy(&rq->params, &ret->policy);
    ret->request = *request;
    ret->betas = (struct tk_known_betas){0};
    if (betas) {
        tk_known_betas_add(&ret->betas, betas, tk_param(&rq->params, TK_P_BETAS), rq->arena);
        tk_known_betas_add(&ret->betas, betas, tk_get(request->body, tk_str_of(betas->member)),
                           rq->arena);
    }
    return read_messages(rq, messages, ret);
}

/* Reads the content of repair_turn, which has neither a list of messages nor a header. */
static int read_turn(struct tk_request *rq, struct tk_val content, struct tk_history_input *ret)
{
    tk_params_policy(&rq->params, &ret->policy);
    ret->betas = (struct tk_known_betas){0};
    ret->answered = false;
    return tk_transcript_read_turn(&ret->transcript, content, tk_params_dialect(&rq->params),
                                   rq->arena, rq->hash_key);
}

int tk_history_read(struct tk_request *rq, struct tk_history_input *ret)
{
    const struct tk_params *p = &rq->params;
    struct tk_val content = tk_param(p, TK_P_CONTENT), messages;
    struct tk_request_view request;
    int r = tk_read_request(tk_params_provider(p), tk_param(p, TK_P_REQUEST), rq->arena, &request);

    if (r < 0)
        return r;
    ret->request = request;
    if (tk_exists(content))
        return read_turn(rq, content, ret);
    messages = tk_param(p, TK_P_MESSAGES);
    if (!tk_exists(messages))
        messages = (struct tk_val){rq->doc, TK_NO_NODE};
    return tk_history_read_list(rq, &request, messages, ret);
}

int tk_read_target(const struct tk_request *rq, const struct tk_request_view *request,
                   struct tk_target *ret)
{
    struct tk_val model = tk_param(&rq->params, TK_P_TARGET_MODEL);

    if (!tk_exists(model))
        model = request->model;
    ret->endpoint = tk_params_endpoint(&rq->params);
    ret->server = tk_params_server(&rq->params);
    ret->model = tk_text(model, rq->arena);
    return tk_is(model, TK_STRING) && !ret->model.p ? -ENOMEM : 0;
}

int tk_history_judge_unsealed(struct tk_request *rq, struct tk_history_input *history,
                              struct tk_judge *ret)
{
    const struct tk_provider *provider = tk_params_provider(&rq->params);
    struct tk_target target;
    int r = tk_judge_init(ret, &history->transcript, &provider->rules, &history->policy.policy);

    if (r == 0)
        r = tk_read_target(rq, &history->request, &target);
    if (r < 0)
        return r;
    ret->cancelled = tk_request_cancelled_cb;
    ret->cancel_arg = rq;
    tk_judge_take_request(ret, &history->request, &target);
    if (provider->betas)
        provider->betas->tell(ret, &history->betas);
    return 0;
}

int tk_history_judge(struct tk_request *rq, struct tk_history_input *history, struct tk_judge *ret)
{
    int r = tk_history_judge_unsealed(rq, history, ret);

    return r < 0 ? r : tk_seals_param(rq, ret, &history->answered);
}

static const uint32_t *copy(struct tk_request *rq, const uint32_t *counts, size_t n)
{
    uint32_t *p = tk_arena_alloc(rq->arena, n * sizeof(*p));

    if (p)
        memcpy(p, counts, n * sizeof(*p));
    return p;
}

/* An error that remains outweighs edits: the history can't be sent as it is now. */
static enum tk_outcome outcome_of(const struct tk_findings *findings, const struct tk_edits *edits)
{
    if (findings->errors > 0)
        return TK_OUTCOME_UNSAFE;
    return edits && edits->count > 0 ? TK_OUTCOME_REPAIRED : TK_OUTCOME_CLEAN;
}

static int count_edits(struct tk_request *rq, const struct tk_edits *edits)
{
    uint32_t *by_code = tk_arena_zalloc(rq->arena, TK_CODE_COUNT, sizeof(*by_code));

    rq->tally.edits = copy(rq, edits->by_action, TK_ACTION_COUNT);
    if (!rq->tally.edits || !by_code)
        return -ENOMEM;
    for (uint32_t i = 0; i < edits->count; i++)
        by_code[edits->list[i].code]++;
    rq->tally.repaired = by_code;
    return 0;
}

int tk_history_tally(struct tk_request *rq, const struct tk_findings *findings,
                     const struct tk_edits *edits)
{
    rq->tally.outcome = outcome_of(findings, edits);
    if (findings->count > 0) {
        rq->tally.violations = copy(rq, findings->by_code, TK_CODE_COUNT);
        if (!rq->tally.violations)
            return -ENOMEM;
    }
    return edits && edits->count > 0 ? count_edits(rq, edits) : 0;
}

uint32_t tk_max_violations(const struct tk_request *rq)
{
    int64_t n = tk_param_int(&rq->params, TK_P_MAX_VIOLATIONS);

    return n > MOST_VIOLATIONS ? MOST_VIOLATIONS : (uint32_t)n;
}
