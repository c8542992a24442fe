/* SPDX-License-Identifier: Apache-2.0 */
/* stream.feed: takes the next events, or the next bytes, of a stream. */
#include <errno.h>

#include "methods/stream/streaming.h"
#include "value/base64.h"

/* Reads the bytes, which are bin, or base64 in a string. Returns 0, -ENOMEM or TK_BASE64_INVALID.
 * */
static int bytes_of(struct tk_request *rq, struct tk_str *ret)
{
    struct tk_val data = tk_param(&rq->params, TK_P_DATA);
    struct tk_val base64 = tk_param(&rq->params, TK_P_DATA_BASE64);

    if (tk_exists(base64))
        return tk_base64_decode(tk_text(base64, rq->arena), rq->arena, ret);
    *ret = tk_is(data, TK_BIN) ? tk_raw(data) : tk_text(data, rq->arena);
    return 0;
}

static int refuse(struct tk_request *rq, enum tk_error_id error)
{
    return tk_answer_error(rq, error, TK_STR("/params/stream"),
                           tk_str_of(tk_errors[error].message));
}

/* The deadline is checked once every POLL_MASK + 1 events. */
#define POLL_MASK 15u

struct watch {
    struct tk_request *rq;
    bool timed;
    uint32_t events;
};

/* Returns true if the request's time is over; called after each event. A request whose time was
 * over when it began is processed in full: it waited in a queue, and the client can't resend what
 * it fed. */
static int stop(void *arg)
{
    struct watch *watch = arg;

    if (tk_out_is_full(watch->rq->out))
        return -EFBIG;
    return (watch->events++ & POLL_MASK) == POLL_MASK && watch->timed &&
                   tk_request_cancelled(watch->rq)
               ? -ECANCELED
               : 0;
}

static int feed(struct tk_request *rq, struct tk_stream *s, struct tk_str bytes)
{
    struct tk_val events = tk_param(&rq->params, TK_P_EVENTS);
    struct watch watch = {rq, !tk_request_cancelled(rq), 0};
    struct tk_stream_call call;
    int r;

    tk_streaming_begin(rq);
    call = tk_streaming_call(rq);
    call.stop = stop;
    call.stop_arg = &watch;
    r = tk_exists(events) ? tk_stream_feed_events(&call, s, events)
                          : tk_stream_feed_bytes(&call, s, bytes);
    if (r < 0)
        return r;
    tk_streaming_end(rq, s);
    tk_write_end(&rq->writer);
    if (tk_stream_is_too_large(s))
        rq->tally.limit = "max_stream_buffer";
    return tk_answer_end(rq);
}

int tk_method_stream_feed(struct tk_request *rq)
{
    struct tk_opened *opened = tk_session_find(rq->session, tk_streaming_key(rq));
    bool as_bytes = !tk_exists(tk_param(&rq->params, TK_P_EVENTS));
    struct tk_str bytes = {NULL, 0};
    int r = 0;

    if (as_bytes)
        r = bytes_of(rq, &bytes);
    if (r == TK_BASE64_INVALID)
        return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, TK_STR("/params/data_base64"),
                               TK_STR("expected base64 with padding"));
    if (r < 0) {
        if (opened) /* a client that gets such an error takes the stream for gone */
            tk_session_remove(rq->session, opened);
        return r;
    }
    if (!opened)
        return refuse(rq, TK_ERR_STREAM_NOT_FOUND);
    if (tk_stream_is_fed_with(opened->stream, !as_bytes))
        return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, TK_STR("/params"),
                               TK_STR("this stream was fed in the other form before"));
    if (tk_stream_state(opened->stream) != TK_STREAM_OPEN)
        return refuse(rq, TK_ERR_STREAM_FINISHED);
    if (tk_param_bool(&rq->params, TK_P_RESTART)) {
        if (!tk_stream_is_numbered(opened->stream))
            return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, TK_STR("/params/restart"),
                                   TK_STR("this provider's streams can't be read on"));
        tk_stream_restart(opened->stream);
    }
    r = feed(rq, opened->stream, bytes);
    if (r < 0) /* part of the input was consumed, so the stream can't continue */
        tk_session_remove(rq->session, opened);
    else
        tk_session_recount(rq->session, opened);
    return r;
}
