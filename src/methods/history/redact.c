/* SPDX-License-Identifier: Apache-2.0 */
/* redact: the same document without what was said in it (PROTOCOL 5.11). */
#include "operations/redact/redact.h"

#include <errno.h>

#include "methods/core/request.h"

/* The parameters that may have the document. The result has it under the same name. */
static const struct {
    enum tk_param param;
    const char *name;
} sources[] = {
    {TK_P_MESSAGES, "messages"},
    {TK_P_REQUEST, "request"},
    {TK_P_DOCUMENT, "document"},
};

int tk_method_redact(struct tk_request *rq)
{
    struct tk_val at = tk_param(&rq->params, TK_P_AT);
    struct tk_redaction redaction = {
        .key = rq->hash_key,
        .arena = rq->arena,
        .at = tk_exists(at) ? tk_text(at, rq->arena) : TK_STR(""),
        .cancelled = tk_request_cancelled_cb,
        .cancel_arg = rq,
    };
    struct tk_str redacted;
    struct tk_writer *w;
    size_t i = 0;
    int r;

    while (!tk_exists(tk_param(&rq->params, sources[i].param)))
        i++;
    r = tk_redact(&redaction, tk_param(&rq->params, sources[i].param), &redacted);
    if (r == -ENOENT)
        return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, TK_STR("/params/at"),
                               TK_STR("names nothing in the document"));
    if (r < 0)
        return r;
    w = tk_answer_begin_result(rq);
    tk_write_map(w);
    tk_write_key(w, sources[i].name);
    tk_write_raw(w, redacted);
    tk_write_end(w);
    return tk_answer_end(rq);
}
