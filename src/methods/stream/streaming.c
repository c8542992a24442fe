/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/stream/streaming.h"

#include <errno.h>

#include "engine/judge.h"
#include "methods/params/policy.h"
#include "methods/params/providers.h"
#include "shapes/read.h"
#include "shapes/shape.h"
#include "stream/format.h"
#include "value/pointer.h"

static enum tk_stream_form form_of(const struct tk_request *rq)
{
    static const uint8_t forms[TK_WORD_COUNT] = {
        [TK_WORD_PARTS] = TK_FORM_PARTS,
        [TK_WORD_EVENTS] = TK_FORM_EVENTS,
        [TK_WORD_SSE] = TK_FORM_SSE,
        [TK_WORD_WIRE] = TK_FORM_WIRE,
    };

    return (enum tk_stream_form)forms[tk_param_word(&rq->params, TK_P_EMIT)];
}

/* ---- what a provider takes ---- */

static int refuse(struct tk_request *rq, const char *pointer, const char *why)
{
    int r = tk_answer_error(rq, TK_ERR_INVALID_PARAMS, tk_str_of(pointer), tk_str_of(why));

    return r < 0 ? r : TK_STREAMING_ANSWERED;
}

/* Returns the framing that a request names, else the provider's first one; TK_WIRES if the provider
 * has no such framing. */
static enum tk_wire wire_of(const struct tk_request *rq, const struct tk_stream_format *format)
{
    static const uint8_t wires[TK_WORD_COUNT] = {
        [TK_WORD_SSE] = TK_WIRE_SSE,
        [TK_WORD_EVENTSTREAM] = TK_WIRE_EVENTSTREAM,
        [TK_WORD_JSON] = TK_WIRE_JSON,
    };
    const uint8_t *wire = format->wires;
    enum tk_word word = tk_param_word(&rq->params, TK_P_WIRE);

    if (word == TK_WORD_NONE)
        return (enum tk_wire) * wire;
    while (*wire != TK_WIRES && *wire != wires[word])
        wire++;
    return (enum tk_wire) * wire;
}

static bool is_default(const struct tk_request *rq, enum tk_param id)
{
    struct tk_val v = tk_param(&rq->params, id);

    return !tk_exists(v) || (tk_is(v, TK_ARRAY) && !tk_exists(tk_first(v)));
}

/* Parameters that only a format of blocks takes, apart from their defaults. */
static int check_of_blocks(struct tk_request *rq)
{
    static const struct {
        enum tk_param id;
        const char *pointer;
    } rows[] = {
        {TK_P_CARRY_IN, "/params/carry_in"},
        {TK_P_HISTORY, "/params/history"},
        {TK_P_REQUEST, "/params/request"},
    };
    const char *why = "this provider carries nothing from one message to the next";

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        if (!is_default(rq, rows[i].id))
            return refuse(rq, rows[i].pointer, why);
    if (tk_param_word(&rq->params, TK_P_PROVIDER_INPUT) != TK_WORD_WHOLE)
        return refuse(rq, "/params/provider_input", "this provider takes only whole");
    return 0;
}

/* Refuses what the provider's format doesn't take. Returns 0, or as tk_streaming_new() does. */
static int check_format(struct tk_request *rq, const struct tk_stream_format *format)
{
    enum tk_wire wire = wire_of(rq, format);

    if (wire == TK_WIRES)
        return refuse(rq, "/params/wire", "this provider has no such framing");
    if (form_of(rq) == TK_FORM_SSE && wire != TK_WIRE_SSE && !format->any_sse)
        return refuse(rq, "/params/emit", "sse needs the framing sse");
    if (tk_exists(tk_param(&rq->params, TK_P_STARTING_AFTER)) && !format->numbered)
        return refuse(rq, "/params/starting_after", "this provider's events have no numbers");
    return format->blocks ? 0 : check_of_blocks(rq);
}

static int64_t start_of(const struct tk_request *rq)
{
    return tk_exists(tk_param(&rq->params, TK_P_STARTING_AFTER))
               ? tk_param_int(&rq->params, TK_P_STARTING_AFTER)
               : TK_NO_START;
}

/* ---- what is carried in ---- */

/* Judges the history as `validate` does, and gives the stream its calls in flight. */
static int carry_history(struct tk_request *rq, bool patient, struct tk_stream *s)
{
    bool whole = tk_exists(tk_param(&rq->params, TK_P_REQUEST));
    struct tk_val messages = tk_param(&rq->params, whole ? TK_P_MESSAGES : TK_P_HISTORY);
    const struct tk_provider *provider = tk_params_provider(&rq->params);
    struct tk_params_policy policy;
    struct tk_transcript transcript;
    struct tk_judge judge;
    int r;

    if (!tk_exists(tk_first(messages)))
        return 0;
    r = tk_transcript_read(&transcript, messages, provider->rules.shapes[0], rq->arena,
                           rq->hash_key);
    if (r < 0)
        return r;
    tk_params_policy(&rq->params, &policy);
    r = tk_judge_init(&judge, &transcript, &provider->rules, &policy.policy);
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
    if (!tk_exists(tk_param(&rq->params, TK_P_REQUEST)) ||
        !tk_exists(tk_param(&rq->params, TK_P_HISTORY)))
        return 0;
    return refuse(rq, "/params/history", "can't be combined with `request`");
}

int tk_streaming_new(struct tk_request *rq, uint64_t max_buffer, bool patient,
                     struct tk_stream **ret)
{
    const struct tk_stream_format *format = tk_params_provider(&rq->params)->stream;
    struct tk_stream_setup setup = {
        .format = format,
        .allocator = rq->core->allocator,
        .limits = rq->core->limits,
        .hash_key = rq->core->limits.hash_key,
        .form = form_of(rq),
        .wire = wire_of(rq, format),
        .starting_after = start_of(rq),
        .input_as_deltas = tk_param_word(&rq->params, TK_P_PROVIDER_INPUT) == TK_WORD_DELTAS,
        .unknown_tools_error =
            tk_param_word(&rq->params, TK_P_POLICY_UNKNOWN_TOOLS) == TK_WORD_ERROR,
        .max_buffer = max_buffer,
    };
    struct tk_stream *s;
    int r = check_history(rq);

    if (r == 0)
        r = check_format(rq, format);
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
