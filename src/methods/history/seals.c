/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/history/seals.h"

#include <errno.h>

#include "providers/anthropic/thinking/settings.h"
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

/* ---- verdicts ---- */

static void write_verdict(struct tk_writer *w, uint32_t message, const uint32_t *seals, uint32_t n,
                          enum tk_verdict verdict, bool dead)
{
    tk_write_map(w);
    tk_write_key(w, "message_index");
    if (message == TK_NONE)
        tk_write_null(w);
    else
        tk_write_uint(w, message);
    tk_write_key(w, "seals");
    tk_write_list(w);
    for (uint32_t i = 0; i < n; i++)
        tk_write_uint(w, seals[i]);
    tk_write_end(w);
    tk_write_kv_cstr(w, "verdict", tk_verdict_name(verdict));
    tk_write_kv_bool(w, "dead", dead);
    tk_write_end(w);
}

/* As it was sent, whatever became of it. */
static bool *list_thinking(const struct tk_transcript *t)
{
    bool *has = tk_arena_zalloc(t->arena, t->input_messages, sizeof(*has));

    for (uint32_t m = 0; has && m < t->input_messages; m++) {
        struct tk_val content =
            tk_get((struct tk_val){t->doc, t->messages[m].sent}, TK_STR("content"));

        for (struct tk_val v = tk_first(content);
             tk_is(content, TK_ARRAY) && tk_exists(v) && !has[m]; v = tk_after(content, v)) {
            struct tk_val type = tk_get(v, TK_STR("type"));

            has[m] = t->messages[m].role == TK_ROLE_ASSISTANT &&
                     (tk_text_is(type, TK_STR("thinking")) ||
                      tk_text_is(type, TK_STR("redacted_thinking")));
        }
    }
    return has;
}

void tk_write_verdicts(struct tk_writer *w, const struct tk_transcript *t,
                       const struct tk_seals *received)
{
    bool *thinking = received->count > 0 ? list_thinking(t) : NULL;

    if (!thinking)
        return;
    tk_write_key(w, "verdicts");
    tk_write_list(w);
    for (uint32_t m = 0; m < t->input_messages; m++) {
        const struct tk_sealed_turn *g = tk_sealed_turn_of(received, m);

        if (g && g->messages[0] == m)
            write_verdict(w, m, g->seals, g->seal_count, g->verdict, g->dead);
        else if (!g && thinking[m])
            write_verdict(w, m, NULL, 0, TK_VERDICT_UNKNOWN, false);
    }
    for (uint32_t i = 0; i < received->count; i++)
        if (received->group_of_seal[i] == TK_NONE && !received->list[i].repeated)
            write_verdict(w, TK_NONE, &i, 1, TK_VERDICT_UNKNOWN, false);
    tk_write_end(w);
}

/* ---- advice ---- */

#define BINDING_BETA "thinking-binding-controls-2026-08-01"

void tk_write_advice(struct tk_writer *w, struct tk_repair *r)
{
    enum tk_advice advice = tk_repair_advice(r);

    if (advice == TK_ADVICE_NONE)
        return;
    tk_write_key(w, "set");
    tk_write_map(w);
    tk_write_key(w, tk_advice_path(advice));
    tk_write_advised(w, advice, r->judge.policy);
    tk_write_end(w);
    if (advice != TK_ADVICE_BLOCK_BINDING)
        return;
    tk_write_key(w, "betas");
    tk_write_list(w);
    tk_write_cstr(w, BINDING_BETA);
    tk_write_end(w);
}
