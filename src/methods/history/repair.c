/* SPDX-License-Identifier: Apache-2.0 */
/* repair: the fewest edits that make a history acceptable (PROTOCOL 5.2). */
#include "methods/history/read_history.h"
#include "methods/history/repair_answer.h"

int tk_method_repair(struct tk_request *rq)
{
    bool guard = tk_param_bool(&rq->params, TK_P_GUARD);
    struct tk_history_input history;
    struct tk_repair repair = {.changes_request = false};
    int r = tk_history_read(rq, &history);

    if (r < 0 || history.answered)
        return r;
    r = tk_history_judge(rq, &history, &repair.judge);
    if (r < 0 || history.answered)
        return r;
    r = tk_repair(&repair, guard);
    if (r < 0)
        return r;
    if (guard && repair.judge.findings.errors > 0) {
        r = tk_history_tally(rq, &repair.judge.findings, NULL);
        return r < 0 ? r : tk_answer_unsafe(rq, &repair);
    }
    r = tk_history_tally(rq, &repair.judge.findings, &repair.edits);
    return r < 0 ? r : tk_answer_repair(rq, &repair, "messages");
}
