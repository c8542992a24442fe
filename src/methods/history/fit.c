/* SPDX-License-Identifier: Apache-2.0 */
/* fit: makes a history small enough for a budget, and judges the outcome (PROTOCOL 5.13). */
#include "engine/edit/emit.h"
#include "engine/report.h"
#include "methods/history/read_history.h"
#include "methods/history/repair_answer.h"
#include "methods/prepare/fit_step.h"

/* Returns the index that a message has in the outcome. */
static uint32_t index_of(const struct tk_transcript *t, uint32_t message)
{
    uint32_t index = 0;

    for (uint32_t m = t->first_message; m != message; m = t->messages[m].next)
        index++;
    return index;
}

static void write_protected(struct tk_writer *w, struct tk_judge *j)
{
    tk_judge_protect(j);
    tk_write_key(w, "protected");
    if (j->t->protected_message == TK_NONE)
        tk_write_null(w);
    else
        tk_write_uint(w, index_of(j->t, j->t->protected_message));
}

/* Writes the fitted list in the form that the parameter `return` asks for. */
static int write_outcome(struct tk_request *rq, struct tk_writer *w, const struct tk_fit_step *step,
                         struct tk_repair *r)
{
    int err;

    if (tk_param_word(&rq->params, TK_P_RETURN) != TK_WORD_PATCH) {
        if (step->fitted.changed)
            tk_write_changed_list(w, rq, r->judge.t, "messages");
        return 0;
    }
    tk_write_key(w, "patch");
    tk_write_list(w);
    err = tk_fit_write_operations(w, &step->fitted);
    tk_write_end(w);
    return err;
}

static int answer(struct tk_request *rq, const struct tk_fit_step *step, struct tk_repair *r)
{
    struct tk_report report = {.judge = &r->judge, .max = tk_max_violations(rq)};
    struct tk_writer *w = tk_answer_begin_result(rq);
    int err;

    tk_write_map(w);
    tk_write_kv_bool(w, "changed", step->fitted.changed);
    tk_write_kv_bool(w, "safe", r->judge.findings.errors == 0);
    tk_fit_step_write(w, rq, step, r);
    write_protected(w, &r->judge);
    tk_report_findings(w, &report);
    if (tk_param_bool(&rq->params, TK_P_RETURN_REMOVED)) {
        tk_write_key(w, "quarantine");
        tk_write_list(w);
        tk_fit_write_quarantine(w, &step->fitted, NULL);
        tk_write_end(w);
    }
    err = write_outcome(rq, w, step, r);
    tk_write_end(w);
    return err < 0 ? err : tk_answer_end(rq);
}

static int answer_unsafe(struct tk_request *rq, struct tk_repair *r)
{
    struct tk_report report = {.judge = &r->judge, .sent = &r->edits, .max = tk_max_violations(rq)};
    struct tk_writer *w = tk_answer_begin_error(rq, TK_ERR_UNSAFE_HISTORY, TK_NO_POINTER);

    tk_report_findings(w, &report);
    return tk_answer_end(rq);
}

/* Judges the outcome with a judge of its own: what the first one found out is about the input. */
static int judge_outcome(struct tk_request *rq, struct tk_history_input *history,
                         struct tk_repair *r)
{
    int err = tk_history_judge_unsealed(rq, history, &r->judge);

    if (err == 0)
        err = tk_judge(&r->judge);
    return err == 0 ? tk_history_tally(rq, &r->judge.findings, NULL) : err;
}

int tk_method_fit(struct tk_request *rq)
{
    struct tk_history_input history;
    struct tk_repair repair = {.changes_request = false};
    struct tk_fit_step step;
    int r = tk_fit_step_read(rq, tk_param(&rq->params, TK_P_MESSAGES), &step);

    if (r < 0 || step.answered)
        return r;
    r = tk_history_read(rq, &history);
    if (r < 0 || history.answered)
        return r;
    r = tk_history_judge_unsealed(rq, &history, &repair.judge);
    if (r == 0)
        r = tk_fit_step_run(rq, &step, &repair);
    if (r < 0 || step.answered)
        return r;
    r = judge_outcome(rq, &history, &repair);
    if (r < 0)
        return r;
    if (tk_param_bool(&rq->params, TK_P_GUARD) && repair.judge.findings.errors > 0)
        return answer_unsafe(rq, &repair);
    return answer(rq, &step, &repair);
}
