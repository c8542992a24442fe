/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/request.h"

int tk_method_ping(struct tk_request *rq)
{
    struct tk_writer *w = tk_answer_begin_result(rq);
    struct tk_val echo = tk_param(&rq->params, TK_P_ECHO);

    tk_write_map(w);
    tk_write_kv_bool(w, "pong", true);
    if (tk_exists(echo)) {
        tk_write_key(w, "echo");
        tk_write_val(w, echo);
    }
    tk_write_end(w);
    return tk_answer_end(rq);
}
