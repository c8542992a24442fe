/* SPDX-License-Identifier: Apache-2.0 */
/* report_miss: counts a request that the provider refused although it was called sound, by the rule that
 * the provider's words belong to. */
#include "methods/refusals/refusal.h"

int tk_method_report_miss(struct tk_request *rq)
{
    struct tk_explanation explanation;
    struct tk_writer *w;
    int r = tk_explain_refusal(rq, &explanation);

    if (r < 0)
        return r;
    rq->tally.missed = true;
    rq->tally.miss = explanation.count > 0 ? explanation.matches[0].number : TK_WORDING_NONE;
    w = tk_answer_begin_result(rq);
    tk_write_map(w);
    tk_write_key(w, "code");
    if (explanation.count > 0)
        tk_write_cstr(w, tk_wording(rq->tally.miss).code);
    else
        tk_write_null(w);
    tk_write_end(w);
    return tk_answer_end(rq);
}
