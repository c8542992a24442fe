/* SPDX-License-Identifier: Apache-2.0 */
/* stream.open: opens a stream under a key that the client chose (STREAM.md section 1). */
#include "methods/stream/streaming.h"

static int refuse_buffer(struct tk_request *rq)
{
    struct tk_writer *w = tk_answer_begin_error_text(
        rq, TK_ERR_INVALID_PARAMS, TK_STR("/params/max_buffer"),
        TK_STR("expected an integer from 1 to the limit max_stream_buffer"));

    tk_write_key(w, "limit");
    tk_write_uint(w, rq->core->max_stream_buffer);
    return tk_answer_end(rq);
}

static int refuse_busy(struct tk_request *rq)
{
    rq->tally.limit = "max_streams_per_connection";
    return tk_answer_busy(rq, rq->core->max_streams);
}

static int answer(struct tk_request *rq, const struct tk_stream *s)
{
    tk_streaming_begin(rq);
    tk_streaming_end(rq, s);
    tk_write_key(&rq->writer, "carried");
    tk_stream_write_pending(s, &rq->writer);
    tk_write_end(&rq->writer);
    return tk_answer_end(rq);
}

int tk_method_stream_open(struct tk_request *rq)
{
    uint64_t max_buffer = (uint64_t)tk_param_int(&rq->params, TK_P_MAX_BUFFER);
    struct tk_str key = tk_streaming_key(rq);
    struct tk_stream *s;
    int r;

    if (max_buffer > rq->core->max_stream_buffer)
        return refuse_buffer(rq);
    if (tk_session_find(rq->session, key))
        return tk_answer_error(rq, TK_ERR_STREAM_EXISTS, TK_STR("/params/stream"),
                               tk_str_of(tk_errors[TK_ERR_STREAM_EXISTS].message));
    if (tk_session_streams(rq->session) >= rq->core->max_streams)
        return refuse_busy(rq);
    if (max_buffer == 0)
        max_buffer = rq->core->max_stream_buffer;
    r = tk_streaming_new(rq, max_buffer, true, &s);
    if (r != 0)
        return r < 0 ? r : 0;
    r = answer(rq, s);
    if (r == 0)
        r = tk_session_add(rq->session, key, s);
    if (r != 0)
        tk_stream_free(s);
    return r;
}
