/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/request.h"

int tk_method_stats(struct tk_request *rq)
{
    rq->host->stats(rq->host->arg, tk_answer_begin_result(rq));
    return tk_answer_end(rq);
}
