/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/stream/streaming.h"

#include <errno.h>

#include "engine/judge.h"
#include "methods/params/policy.h"
#include "methods/params/providers.h"
#include "shapes/read.h"
#include "shapes/shape.h"
#include "value/pointer.h"

static enum tk_stream_form form_of(const struct tk_request *rq)
{
    static const uint8_t forms[TK_WORD_COUNT] = {
        [TK_WORD_PARTS] = TK_FORM_PARTS,
        [TK_WORD_EVENTS] = TK_FORM_EVENTS,
        [TK_WORD_SSE] = TK_FORM_SSE,
    };

    return (enum tk_stream_form)forms[tk_param_word(&rq->params, TK_P_EMIT)];
}

/* Judges the history as `validate` does, and gives the stream its calls in flight. */
static int carry_history(struct tk_request *rq, bool patient, struct tk_stream *s)
{
    bool whole = tk_exists(tk_param(&rq->params, TK_P_REQUEST));
    struct tk_val messages = tk_param(&rq->params, whole ? TK_P_MESSAGES : TK_P_HISTORY);
    const struct tk_provider *provider = tk_params_provider(&rq->params);
    struct tk_policy policy = tk_params_policy(&rq->params);
    struct tk_transcript transcript;
    struct tk_judge judge;
    int r;

    if (!tk_exists(tk_first(messages)))
        return 0;
    r = tk_transcript_read(&transcript, messages, provider->rules.shapes[0], rq->arena,
                           rq->hash_key);
    if (r < 0)
        return r;
    r = tk_judge_init(&judge, &transcript, &provider->rules, &policy);
    if (r < 0)
        return r;
    if (!patient) {
        judge.cancelled = tk_request_cancelled_cb;
        judge.cancel_arg = rq;
    }
    r = tk_judge(&judge);
    return r < 0 ? r : tk_stream_carry_history(s, &judge);
}

static int carry_in(struct tk_request *rq, struct tk_stream *s)
{
    struct tk_val list = tk_param(&rq->params, TK_P_CARRY_IN);
    int r = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0; v = tk_after(list, v)) {
        struct tk_val id = tk_get(v, TK_STR("id"));

        r = tk_stream_carry(s, tk_text(id, rq->arena),
                            tk_text(tk_get(v, TK_STR("name")), rq->arena),
                            tk_text(tk_get(v, TK_STR("type")), rq->arena));
        if (r != TK_CARRY_ANSWERED)
            continue;
        r = tk_answer_error(rq, TK_ERR_INVALID_PARAMS, tk_pointer_of(id, TK_STR(""), rq->arena),
                            TK_STR("the history holds a result for this call"));
        return r < 0 ? r : TK_STREAMING_ANSWERED;
    }
    return r;
}

/* Refuses a history that is given twice. Returns 0 if it isn't, else as tk_streaming_new() does. */
static int check_history(struct tk_request *rq)
{
    int r;

    if (!tk_exists(tk_param(&rq->params, TK_P_REQUEST)) ||
        !tk_exists(tk_param(&rq->params, TK_P_HISTORY)))
        return 0;
    r = tk_answer_error(rq, TK_ERR_INVALID_PARAMS, TK_STR("/params/history"),
                        TK_STR("can't be combined with `request`"));
    return r < 0 ? r : TK_STREAMING_ANSWERED;
}

int tk_streaming_new(struct tk_request *rq, uint64_t max_buffer, bool patient,
                     struct tk_stream **ret)
{
    struct tk_stream_setup setup = {
        .format = tk_params_provider(&rq->params)->stream,
        .allocator = rq->core->allocator,
        .limits = rq->core->limits,
        .hash_key = rq->core->limits.hash_key,
        .form = form_of(rq),
        .input_as_deltas = tk_param_word(&rq->params, TK_P_PROVIDER_INPUT) == TK_WORD_DELTAS,
        .unknown_tools_error =
            tk_param_word(&rq->params, TK_P_POLICY_UNKNOWN_TOOLS) == TK_WORD_ERROR,
        .max_buffer = max_buffer,
    };
    struct tk_stream *s;
    int r = check_history(rq);

    if (r != 0)
        return r;
    s = tk_stream_new(&setup);
    if (!s)
        return -ENOMEM;
    r = carry_history(rq, patient, s);
    if (r == 0)
        r = carry_in(rq, s);
    if (r == 0)
        *ret = s;
    else
        tk_stream_free(s);
    return r;
}

struct tk_stream_call tk_streaming_call(struct tk_request *rq)
{
    return (struct tk_stream_call){.w = &rq->writer, .arena = rq->arena, .tapes = rq->core->tapes};
}

struct tk_str tk_streaming_key(struct tk_request *rq)
{
    return tk_text(tk_param(&rq->params, TK_P_STREAM), rq->arena);
}

void tk_streaming_begin(struct tk_request *rq)
{
    struct tk_writer *w = tk_answer_begin_result(rq);

    tk_write_map(w);
    tk_write_key(w, "outputs");
    tk_write_list(w);
}

void tk_streaming_end(struct tk_request *rq, const struct tk_stream *s)
{
    tk_write_end(&rq->writer);
    tk_write_kv_cstr(&rq->writer, "state", tk_stream_state_name(s));
}
