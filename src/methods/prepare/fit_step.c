/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/prepare/fit_step.h"

#include "methods/params/providers.h"
#include "value/pointer.h"

/* ---- refusals ---- */

static int refuse(struct tk_request *rq, struct tk_fit_step *step, struct tk_val v,
                  struct tk_str message)
{
    step->answered = true;
    return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, tk_pointer_of(v, TK_STR(""), rq->arena),
                           message);
}

/* Returns the measure of a word. */
static enum tk_fit_measure measure_of(struct tk_val word)
{
    static const enum tk_word words[TK_FIT_MEASURE_COUNT] = {
        [TK_FIT_RESULTS] = TK_WORD_RESULTS, [TK_FIT_REASONING] = TK_WORD_REASONING,
        [TK_FIT_MEDIA] = TK_WORD_MEDIA,     [TK_FIT_ROUNDS] = TK_WORD_ROUNDS,
        [TK_FIT_LOOPS] = TK_WORD_LOOPS,
    };
    int i = 0;

    while (i < TK_FIT_MEASURE_COUNT - 1 && !tk_text_is(word, tk_str_of(tk_word_name(words[i]))))
        i++;
    return (enum tk_fit_measure)i;
}

/* Reads the measures as bits. Returns the first that is there twice, else an absent value. */
static struct tk_val read_measures(struct tk_val list, unsigned *ret)
{
    *ret = tk_exists(list) ? 0 : 1u << TK_FIT_ROUNDS | 1u << TK_FIT_LOOPS;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        unsigned bit = 1u << measure_of(v);

        if (*ret & bit)
            return v;
        *ret |= bit;
    }
    return TK_NO_VAL;
}

/* Returns the first index that isn't one of `count` entries; absent: all are. */
static struct tk_val first_outside(struct tk_val pin, uint32_t count)
{
    int64_t n;

    for (struct tk_val v = tk_first(pin); tk_exists(v); v = tk_after(pin, v))
        if (!tk_int64(v, &n) || n >= count)
            return v;
    return TK_NO_VAL;
}

/* Returns the element after the first `count`; absent: there aren't more. */
static struct tk_val element_after(struct tk_val list, uint32_t count)
{
    struct tk_val v = tk_first(list);

    while (count-- > 0 && tk_exists(v))
        v = tk_after(list, v);
    return v;
}

/* Refuses parameters that don't go with the list, or with each other. */
static int check(struct tk_request *rq, struct tk_val list, struct tk_fit_step *step)
{
    const struct tk_params *p = &rq->params;
    const struct tk_fit_options *o = &step->options;
    uint32_t count = tk_is(list, TK_STRING) ? 1 : tk_exists(list) ? tk_count(list) : 0;
    struct tk_val more = element_after(o->counts, count), outside = first_outside(o->pin, count);

    if (o->to > o->over)
        return refuse(rq, step, tk_param(p, TK_P_FIT_TO), TK_STR("expected at most over"));
    if (!o->tokens && tk_exists(tk_first(o->counts)))
        return refuse(rq, step, o->counts, TK_STR("only with the unit tokens"));
    if (!o->tokens && o->per_token != 4)
        return refuse(rq, step, tk_param(p, TK_P_FIT_BYTES_PER_TOKEN),
                      TK_STR("only with the unit tokens"));
    if (tk_exists(more))
        return refuse(rq, step, more, TK_STR("more counts than the list has entries"));
    if (tk_exists(outside))
        return refuse(rq, step, outside, TK_STR("the list has no entry of this index"));
    return 0;
}

/* ---- options ---- */

static struct tk_str text_or(struct tk_request *rq, enum tk_param param, const char *standard)
{
    struct tk_val text = tk_param(&rq->params, param);

    return tk_exists(text) ? tk_text(text, rq->arena) : tk_str_of(standard);
}

static struct tk_fit_options options_of(struct tk_request *rq)
{
    const struct tk_params *p = &rq->params;
    bool has_to = tk_exists(tk_param(p, TK_P_FIT_TO));

    return (struct tk_fit_options){
        .rules = tk_params_provider(p)->fit,
        .over = (uint64_t)tk_param_int(p, TK_P_FIT_OVER),
        .to = (uint64_t)tk_param_int(p, has_to ? TK_P_FIT_TO : TK_P_FIT_OVER),
        .tokens = tk_param_word(p, TK_P_FIT_UNIT) == TK_WORD_TOKENS,
        .per_token = (uint32_t)tk_param_int(p, TK_P_FIT_BYTES_PER_TOKEN),
        .overhead = (uint64_t)tk_param_int(p, TK_P_FIT_OVERHEAD),
        .counts = tk_param(p, TK_P_FIT_COUNTS),
        .keep_first_rounds = (uint64_t)tk_param_int(p, TK_P_FIT_FIRST_ROUNDS),
        .keep_first_prompt = tk_param_bool(p, TK_P_FIT_FIRST_PROMPT),
        .keep_last_rounds = (uint64_t)tk_param_int(p, TK_P_FIT_LAST_ROUNDS),
        .keep_last_steps = (uint64_t)tk_param_int(p, TK_P_FIT_LAST_STEPS),
        .keep_results = (uint64_t)tk_param_int(p, TK_P_FIT_RESULTS),
        .keep_tools = tk_param(p, TK_P_FIT_TOOLS),
        .pin = tk_param(p, TK_P_FIT_PIN),
        .placeholder = text_or(rq, TK_P_FIT_PLACEHOLDER, "[Old tool result removed.]"),
        .media_placeholder = text_or(rq, TK_P_FIT_MEDIA_PLACEHOLDER, "[Old media removed.]"),
        .marker = text_or(rq, TK_P_FIT_MARKER, NULL),
        .least = tk_param_word(p, TK_P_FIT_ON_UNREACHABLE) == TK_WORD_LEAST,
    };
}

int tk_fit_step_read(struct tk_request *rq, struct tk_val list, struct tk_fit_step *ret)
{
    struct tk_val repeated;

    *ret = (struct tk_fit_step){.options = options_of(rq)};
    repeated = read_measures(tk_param(&rq->params, TK_P_FIT_MEASURES), &ret->options.measures);
    if (tk_exists(repeated))
        return refuse(rq, ret, repeated, TK_STR("named twice"));
    return check(rq, list, ret);
}

/* ---- the work ---- */

static int answer_unreachable(struct tk_request *rq, struct tk_fit_step *step)
{
    struct tk_writer *w = tk_answer_begin_error(
        rq, TK_ERR_BUDGET_UNREACHABLE,
        tk_pointer_of(tk_param(&rq->params, TK_P_FIT_OVER), TK_STR(""), rq->arena));

    step->answered = true;
    tk_write_key(w, "over");
    tk_write_uint(w, step->options.over);
    tk_write_key(w, "size");
    tk_write_uint(w, step->fitted.size_before);
    tk_write_key(w, "least");
    tk_write_uint(w, step->fitted.size_after);
    return tk_answer_end(rq);
}

int tk_fit_step_run(struct tk_request *rq, struct tk_fit_step *step, struct tk_repair *r)
{
    int err;

    tk_edits_init(&r->edits, &r->judge);
    err = tk_fit(&step->options, &r->judge, &r->edits, &step->fitted);
    return err == TK_FIT_UNREACHABLE ? answer_unreachable(rq, step) : err;
}

void tk_fit_step_write(struct tk_writer *w, const struct tk_request *rq,
                       const struct tk_fit_step *step, const struct tk_repair *r)
{
    const struct tk_provider *provider = tk_params_provider(&rq->params);

    tk_write_key(w, "size_before");
    tk_write_uint(w, step->fitted.size_before);
    tk_write_key(w, "size_after");
    tk_write_uint(w, step->fitted.size_after);
    if (step->options.least)
        tk_write_kv_bool(w, "reached", step->fitted.reached);
    tk_fit_write_facts(w, &step->fitted);
    if (provider->write_facts)
        provider->write_facts(w, r);
}
