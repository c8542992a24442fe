/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/history/read_history.h"

#include <errno.h>

#include "methods/history/seals.h"
#include "methods/params/formats.h"
#include "methods/params/policy.h"
#include "methods/params/providers.h"
#include "providers/anthropic/provider.h"
#include "rules/edit/edit.h"
#include "shapes/read.h"
#include "shapes/shape.h"

/* As many findings are listed at most (PROTOCOL section 4). */
#define MOST_VIOLATIONS 10000

/* Reads the parameters that accompany the messages. Seals come last, after all others are valid. */
static int read_terms(struct tk_request *rq, struct tk_judging *ret)
{
    ret->policy = tk_params_policy(&rq->params);
    ret->betas = (struct tk_known_betas){0};
    return tk_seals_param(rq, &ret->seals, &ret->answered);
}

static int read_messages(struct tk_request *rq, struct tk_val messages, struct tk_judging *ret)
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

int tk_judging_read_history(struct tk_request *rq, const struct tk_request_view *request,
                            struct tk_val messages, struct tk_judging *ret)
{
    int r = read_messages(rq, messages, ret);

    if (r < 0 || ret->answered)
        return r;
    r = read_terms(rq, ret);
    ret->request = *request;
    tk_known_betas_add(&ret->betas, tk_param(&rq->params, TK_P_BETAS), rq->arena);
    tk_known_betas_add(&ret->betas, tk_request_at(request, TK_REQUEST_BETAS), rq->arena);
    return r;
}

int tk_judging_read(struct tk_request *rq, struct tk_judging *ret)
{
    const struct tk_params *p = &rq->params;
    struct tk_val content = tk_param(p, TK_P_CONTENT);
    struct tk_request_view request;
    int r = tk_read_request(tk_params_provider(p), tk_param(p, TK_P_REQUEST), rq->arena, &request);

    if (r < 0)
        return r;
    if (!tk_exists(content))
        return tk_judging_read_history(rq, &request, tk_param(p, TK_P_MESSAGES), ret);
    ret->request = request;
    r = read_terms(rq, ret);
    if (r < 0 || ret->answered)
        return r;
    return tk_transcript_read_turn(&ret->transcript, content, tk_params_dialect(p), rq->arena,
                                   rq->hash_key);
}

/* Seals and betas are Anthropic's alone. */
static void take_terms(struct tk_judge *j, const struct tk_judging *judging)
{
    tk_anthropic(j)->seals = judging->seals;
    tk_anthropic(j)->betas = judging->betas;
    j->has |= judging->betas.known ? TK_HAS_HEADER : 0;
}

/* Reads where the request goes. The model is the body's own if the parameter names none. Returns 0
 * or -ENOMEM. */
static int read_target(struct tk_request *rq, const struct tk_request_view *request,
                       struct tk_target *ret)
{
    static const enum tk_endpoint endpoints[TK_WORD_COUNT] = {
        [TK_WORD_BEDROCK] = TK_ENDPOINT_BEDROCK,
        [TK_WORD_VERTEX] = TK_ENDPOINT_VERTEX,
        [TK_WORD_COMPATIBLE] = TK_ENDPOINT_COMPATIBLE,
    };
    struct tk_val model = tk_param(&rq->params, TK_P_TARGET_MODEL);

    if (!tk_exists(model))
        model = tk_request_at(request, TK_REQUEST_MODEL);
    ret->endpoint = endpoints[tk_param_word(&rq->params, TK_P_TARGET_ENDPOINT)];
    ret->model = tk_text(model, rq->arena);
    return tk_is(model, TK_STRING) && !ret->model.p ? -ENOMEM : 0;
}

int tk_judging_init(struct tk_request *rq, struct tk_judging *judging, struct tk_judge *ret)
{
    struct tk_target target;
    int r =
        tk_judge_init(ret, &judging->transcript, tk_params_provider(&rq->params), &judging->policy);

    if (r == 0)
        r = read_target(rq, &judging->request, &target);
    if (r < 0)
        return r;
    ret->cancelled = tk_request_cancelled_cb;
    ret->cancel_arg = rq;
    tk_judge_take_request(ret, &judging->request, &target);
    if (ret->provider == &tk_provider_anthropic)
        take_terms(ret, judging);
    return 0;
}

static const uint32_t *copy(struct tk_request *rq, const uint32_t *counts, size_t n)
{
    uint32_t *p = tk_arena_alloc(rq->arena, n * sizeof(*p));

    if (p)
        memcpy(p, counts, n * sizeof(*p));
    return p;
}

int tk_judging_tally(struct tk_request *rq, const struct tk_findings *findings,
                     const uint32_t *by_action)
{
    if (findings->count > 0) {
        rq->tally.violations = copy(rq, findings->by_code, TK_CODE_COUNT);
        if (!rq->tally.violations)
            return -ENOMEM;
    }
    if (by_action) {
        rq->tally.edits = copy(rq, by_action, TK_ACTION_COUNT);
        if (!rq->tally.edits)
            return -ENOMEM;
    }
    return 0;
}

uint32_t tk_max_violations(const struct tk_request *rq)
{
    int64_t n = tk_param_int(&rq->params, TK_P_MAX_VIOLATIONS);

    return n > MOST_VIOLATIONS ? MOST_VIOLATIONS : (uint32_t)n;
}
