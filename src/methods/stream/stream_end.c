/* SPDX-License-Identifier: Apache-2.0 */
/* stream.end: writes the last outputs and the stream's summary, and frees its key. */
#include "methods/stream/streaming.h"

static int end(struct tk_request *rq, struct tk_stream *s)
{
    struct tk_str transport = tk_text(tk_param(&rq->params, TK_P_TRANSPORT_ERROR), rq->arena);
    struct tk_stream_call call;
    int r;

    tk_streaming_begin(rq);
    call = tk_streaming_call(rq);
    r = tk_stream_end(&call, s, transport);
    if (r < 0)
        return r;
    tk_streaming_end(rq, s);
    r = tk_stream_write_outcome(&call, s);
    if (r < 0)
        return r;
    tk_write_end(&rq->writer);
    return tk_answer_end(rq);
}

int tk_method_stream_end(struct tk_request *rq)
{
    struct tk_opened *opened = tk_session_find(rq->session, tk_streaming_key(rq));
    int r;

    if (!opened)
        return tk_answer_error(rq, TK_ERR_STREAM_NOT_FOUND, TK_STR("/params/stream"),
                               tk_str_of(tk_errors[TK_ERR_STREAM_NOT_FOUND].message));
    r = end(rq, opened->stream);
    tk_session_remove(rq->session, opened);
    return r;
}
