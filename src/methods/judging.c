/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/judging.h"

#include <errno.h>

#include "dialects/dialect.h"
#include "methods/policy.h"
#include "methods/seals.h"
#include "rules/edit.h"

int tk_judging_read(struct tk_request *rq, struct tk_judging *ret)
{
    const char *dialect = tk_word_name(tk_param_word(&rq->params, TK_P_DIALECT));
    const struct tk_dialect *d = tk_dialect_by_name(tk_str_of(dialect));
    struct tk_val content = tk_param(&rq->params, TK_P_CONTENT);
    int r;

    ret->policy = tk_params_policy(&rq->params);
    r = tk_seals_param(rq, &ret->seals, &ret->answered);
    if (r < 0 || ret->answered)
        return r;
    if (tk_exists(content))
        return tk_transcript_read_turn(&ret->transcript, content, d, rq->arena, rq->hash_key);
    r = tk_transcript_read(&ret->transcript, tk_param(&rq->params, TK_P_MESSAGES), d, rq->arena,
                           rq->hash_key);
    ret->transcript.body = tk_param(&rq->params, TK_P_REQUEST);
    return r;
}

void tk_judging_init(struct tk_request *rq, struct tk_judging *judging, struct tk_judge *ret)
{
    tk_judge_init(ret, &judging->transcript, &judging->policy);
    ret->cancelled = tk_request_cancelled_cb;
    ret->cancel_arg = rq;
    ret->seals = judging->seals;
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
