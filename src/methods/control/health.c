/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/request.h"

int tk_method_health(struct tk_request *rq)
{
    rq->host->health(rq->host->arg, tk_answer_begin_result(rq));
    return tk_answer_end(rq);
}
