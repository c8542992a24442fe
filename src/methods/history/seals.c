/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/history/seals.h"

#include <errno.h>

#include "value/pointer.h"

/* ---- the parameter ---- */

static int refuse(struct tk_request *rq, enum tk_error_id error, struct tk_val blamed,
                  const char *message, bool *ret_answered)
{
    struct tk_str pointer = tk_pointer_of(blamed, TK_STR(""), rq->arena);

    *ret_answered = true;
    return message ? tk_answer_error(rq, error, pointer, tk_str_of(message))
                   : tk_answer_error(rq, error, pointer, tk_str_of(tk_errors[error].message));
}

static bool is_anthropic(const struct tk_request *rq)
{
    enum tk_word dialect = tk_param_word(&rq->params, TK_P_DIALECT);

    return dialect == TK_WORD_ANTHROPIC || dialect == TK_WORD_NONE;
}

static const char only_anthropic[] = "only for the dialect anthropic";

int tk_provenance_param(struct tk_request *rq, bool *ret_answered)
{
    *ret_answered = false;
    if (is_anthropic(rq) || tk_param_word(&rq->params, TK_P_PROVENANCE) != TK_WORD_REBUILT)
        return 0;
    return refuse(rq, TK_ERR_INVALID_PARAMS, tk_param(&rq->params, TK_P_PROVENANCE), only_anthropic,
                  ret_answered);
}

static int refuse_seal(struct tk_request *rq, enum tk_seal_fault fault, struct tk_val blamed,
                       bool *ret_answered)
{
    static const enum tk_error_id errors[] = {
        [TK_SEAL_UNSUPPORTED] = TK_ERR_SEAL_UNSUPPORTED,
        [TK_SEAL_INVALID] = TK_ERR_SEAL_INVALID,
        [TK_SEAL_BLOCK] = TK_ERR_INVALID_PARAMS,
    };

    return refuse(rq, errors[fault], blamed,
                  fault == TK_SEAL_BLOCK ? "a block needs type and digest; its members are strings"
                                         : NULL,
                  ret_answered);
}

/* A seal of the same turn that was listed before counts alone. */
static int mark_repeated(struct tk_request *rq, struct tk_seals *s)
{
    struct tk_map turns;

    tk_map_init(&turns, rq->arena, rq->hash_key);
    for (uint32_t i = 0; i < s->count; i++) {
        bool is_new;

        if (!tk_map_put(
                &turns,
                (struct tk_str){(const char *)s->list[i].turn.bytes, sizeof(s->list[i].turn)},
                &is_new))
            return -ENOMEM;
        s->list[i].repeated = !is_new;
    }
    return 0;
}

int tk_seals_param(struct tk_request *rq, struct tk_seals *ret, bool *ret_answered)
{
    struct tk_val list = tk_param(&rq->params, TK_P_SEALS);
    uint32_t n = 0;

    *ret = (struct tk_seals){0};
    *ret_answered = false;
    if (!tk_exists(tk_first(list)))
        return 0;
    if (!is_anthropic(rq))
        return refuse(rq, TK_ERR_INVALID_PARAMS, list, only_anthropic, ret_answered);
    ret->count = tk_count(list);
    ret->list = tk_arena_alloc(rq->arena, ret->count * sizeof(*ret->list));
    for (struct tk_val v = tk_first(list); ret->list && tk_exists(v); v = tk_after(list, v)) {
        struct tk_val blamed;
        enum tk_seal_fault fault = tk_seal_read(v, rq->arena, &ret->list[n++], &blamed);

        if (tk_arena_failed(rq->arena))
            return -ENOMEM;
        if (fault != TK_SEAL_FINE)
            return refuse_seal(rq, fault, blamed, ret_answered);
        if ((n & 255) == 0 && tk_request_cancelled(rq))
            return -ECANCELED;
    }
    return ret->list ? mark_repeated(rq, ret) : -ENOMEM;
}
