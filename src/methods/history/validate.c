/* SPDX-License-Identifier: Apache-2.0 */
/* validate: reports all faults of a history at once (PROTOCOL 5.1). */
#include "engine/report.h"
#include "methods/history/read_history.h"

static void write_result(struct tk_request *rq, struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    struct tk_writer *w = tk_answer_begin_result(rq);
    struct tk_report report = {
        .judge = j,
        .max = tk_max_violations(rq),
    };

    tk_judge_protect(j);
    tk_write_map(w);
    tk_write_kv_bool(w, "valid", j->findings.errors == 0);
    tk_write_kv_int(w, "message_count", tk_messages_sent(t));
    tk_write_kv_int(w, "part_count", tk_parts_sent(t));
    tk_write_key(w, "protected");
    if (t->protected_message == TK_NONE)
        tk_write_null(w);
    else
        tk_write_uint(w, t->protected_message);
    tk_report_findings(w, &report);
    tk_write_end(w);
}

int tk_method_validate(struct tk_request *rq)
{
    struct tk_history_input history;
    struct tk_judge j;
    int r = tk_history_read(rq, &history);

    if (r < 0 || history.answered)
        return r;
    r = tk_history_judge(rq, &history, &j);
    if (r < 0 || history.answered)
        return r;
    r = tk_judge(&j);
    if (r == 0 && j.rules->judge_last)
        r = j.rules->judge_last(&j);
    if (r == 0)
        r = tk_history_tally(rq, &j.findings, NULL);
    if (r < 0)
        return r;
    write_result(rq, &j);
    return tk_answer_end(rq);
}
