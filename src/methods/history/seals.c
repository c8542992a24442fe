/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/history/seals.h"

#include <errno.h>

#include "methods/params/providers.h"
#include "providers/seal_rules.h"
#include "value/pointer.h"

static int refuse(struct tk_request *rq, enum tk_error_id error, struct tk_val blamed,
                  struct tk_str message, bool *ret_answered)
{
    *ret_answered = true;
    return tk_answer_error(rq, error, tk_pointer_of(blamed, TK_STR(""), rq->arena),
                           message.p ? message : tk_str_of(tk_errors[error].message));
}

/* Refuses a parameter about received turns unless the history is in the provider's own shape: no
 * other shape has the turns as they were received. */
static int check_dialect(struct tk_request *rq, struct tk_val blamed, bool *ret_answered)
{
    const struct tk_provider *provider = tk_params_provider(&rq->params);

    if (!provider->seals) {
        *ret_answered = true;
        return tk_refuse_provider(rq, TK_P_PROVIDER);
    }
    if (tk_params_dialect(&rq->params) == provider->rules.shapes[0])
        return 0;
    return refuse(
        rq, TK_ERR_INVALID_PARAMS, blamed,
        tk_arena_printf(rq->arena, "only for the dialect %s", provider->rules.shapes[0]->name),
        ret_answered);
}

int tk_provenance_param(struct tk_request *rq, bool *ret_answered)
{
    *ret_answered = false;
    if (tk_param_word(&rq->params, TK_P_PROVENANCE) != TK_WORD_REBUILT)
        return 0;
    return check_dialect(rq, tk_param(&rq->params, TK_P_PROVENANCE), ret_answered);
}

static int refuse_seal(struct tk_request *rq, const struct tk_seal_refusal *refusal,
                       bool *ret_answered)
{
    static const enum tk_error_id errors[] = {
        [TK_SEAL_UNSUPPORTED] = TK_ERR_SEAL_UNSUPPORTED,
        [TK_SEAL_INVALID] = TK_ERR_SEAL_INVALID,
        [TK_SEAL_BLOCK] = TK_ERR_INVALID_PARAMS,
    };
    struct tk_str message = {NULL, 0};

    if (refusal->fault == TK_SEAL_BLOCK)
        message = TK_STR("a block needs type and digest; its members are strings");
    return refuse(rq, errors[refusal->fault], refusal->at, message, ret_answered);
}

int tk_seals_param(struct tk_request *rq, struct tk_judge *j, bool *ret_answered)
{
    struct tk_val list = tk_param(&rq->params, TK_P_SEALS);
    struct tk_seal_refusal refusal;
    int r;

    *ret_answered = false;
    if (!tk_exists(tk_first(list)))
        return 0;
    r = check_dialect(rq, list, ret_answered);
    if (r < 0 || *ret_answered)
        return r;
    r = tk_params_provider(&rq->params)->seals->read(j, list, &refusal);
    return r == TK_SEALS_REFUSED ? refuse_seal(rq, &refusal, ret_answered) : r;
}
