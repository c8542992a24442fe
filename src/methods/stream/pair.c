/* SPDX-License-Identifier: Apache-2.0 */
/* pair: reads one whole response as a stream, from start to end (STREAM.md section 1). */
#include "methods/stream/streaming.h"

/* Feeds the response and ends the stream. On failure the answer has only the error, not the outputs
 * written before it. */
static int pair(struct tk_request *rq, struct tk_stream *s)
{
    struct tk_stream_call call;
    int r;

    tk_streaming_begin(rq);
    call = tk_streaming_call(rq);
    r = tk_stream_feed_response(&call, s, tk_param(&rq->params, TK_P_RESPONSE));
    if (r == TK_STREAM_NO_RESPONSE)
        return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, TK_STR("/params/response"),
                               TK_STR("expected a whole response of the provider"));
    if (r < 0)
        return r;
    if (tk_stream_state(s) == TK_STREAM_FAILED) {
        tk_streaming_begin(rq);
        r = tk_stream_write_error(&call, s);
    }
    if (r < 0)
        return r;
    tk_streaming_end(rq, s);
    r = tk_stream_write_outcome(&call, s);
    if (r < 0)
        return r;
    tk_write_end(&rq->writer);
    return tk_answer_end(rq);
}

int tk_method_pair(struct tk_request *rq)
{
    struct tk_stream *s;
    int r = tk_streaming_new(rq, UINT64_MAX, false, &s);

    if (r != 0)
        return r < 0 ? r : 0;
    r = pair(rq, s);
    tk_stream_free(s);
    return r;
}
