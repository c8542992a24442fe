/* SPDX-License-Identifier: Apache-2.0 */
#include "net/connection_inside.h"

#include <errno.h>
#include <inttypes.h>

#include "net/log.h"
#include "net/request_log.h"

/* `retry_after_ms` sent with `busy`. */
#define RETRY_AFTER_MS 100

/* When a request began and how long it may take; read by the cancel callback of tk_call(). */
struct patience {
    int64_t since, most;
};

static bool out_of_time(void *opaque, uint32_t timeout_ms)
{
    const struct patience *p = opaque;
    int64_t most = p->most;

    if (timeout_ms > 0 && timeout_ms * TK_MILLISECOND < most)
        most = timeout_ms * TK_MILLISECOND;
    return tk_now() - p->since > most;
}

/* Answers `internal` where the core has no answer, or none that a frame can hold: the client still
 * gets one, at its place in the order. Needs no memory of the core. */
static int answer_internal(struct tk_connection *c, const char *reason)
{
    uint64_t id = c->serial << 40 ^ (uint64_t)tk_now();
    char text[TK_INTERNAL_MAX];
    struct iovec iov = {text, tk_refuse_internal(id, text)};

    tk_log(TK_LOG_ERROR, "internal_error", "correlation_id=%016" PRIx64 " reason=%s uid=%u", id,
           reason, c->uid);
    if (iov.iov_len == 0)
        return -ENOMEM;
    return tk_output_copy(&c->out, &c->loop->stage, c->fd, &iov, 1, iov.iov_len,
                          tk_framer_framing(&c->in.framer));
}

/* Sends a reply and frees it once sent. request_size: size of the frame that it may refer to. */
static int send_reply(struct tk_connection *c, tk_reply *reply, size_t request_size)
{
    struct tk_loop *loop = c->loop;
    const struct tk_framing *framing = tk_framer_framing(&c->in.framer);
    size_t size = tk_reply_size(reply), n;
    struct tk_buffer frame;
    bool pinned = false;
    int r = 0;

    if (size <= TK_COPY_MAX || size > UINT32_MAX) {
        const struct iovec *iov = tk_reply_iov(reply, &n);

        if (size > UINT32_MAX)
            r = answer_internal(c, "size");
        else if (size > 0)
            r = tk_output_copy(&c->out, &loop->stage, c->fd, iov, n, size, framing);
        tk_reply_free(reply);
        return r;
    }
    r = tk_output_pin(&c->out, &loop->stage, c->fd, reply, framing, &pinned);
    if (r < 0 || !pinned)
        return r;
    if (tk_read_buffer_detach(&c->in, &loop->scratch, request_size, &frame)) {
        tk_output_hold(&c->out, frame);
        return 0;
    }
    if (tk_output_unpin(&c->out) == 0)
        return 0;
    /* No memory for a copy: keep the whole scratch, however small the request is in it. */
    if (!tk_read_buffer_detach(&c->in, &loop->scratch, SIZE_MAX, &frame))
        return -ENOMEM;
    tk_output_hold(&c->out, frame);
    return 0;
}

/* size: of the request. */
static void count_answer(struct tk_connection *c, const tk_reply *reply, size_t size)
{
    uint64_t correlation = tk_reply_get_correlation(reply);
    const struct tk_request_facts facts = {
        .connection = c->serial,
        .uid = c->uid,
        .size = size,
        .took = tk_now() - c->read_at,
        .logged = c->loop->control ? TK_LOG_REPAIRS_NONE
                                   : (enum tk_log_repairs)c->loop->settings->log_repairs,
    };

    tk_counters_answer(&c->loop->counters, reply, facts.took);
    tk_request_log(&facts, reply);
    if (correlation != 0) {
        const char *method = tk_reply_get_info(reply)->method;

        tk_log(TK_LOG_ERROR, "internal_error", "correlation_id=%016" PRIx64 " method=%s uid=%u",
               correlation, method ? method : "-", c->uid);
    }
}

/* Answers bytes that the core never gets to read. */
static int refuse(struct tk_connection *c, enum tk_error_id error, int64_t limit,
                  uint32_t retry_after_ms)
{
    tk_reply *reply;

    if (tk_refuse(c->loop->core, error, (uint64_t)limit, retry_after_ms, &reply) < 0)
        return answer_internal(c, "memory");
    count_answer(c, reply, 0);
    return send_reply(c, reply, 0);
}

static void hit(struct tk_connection *c, enum tk_limit limit)
{
    tk_limit_hit(&c->loop->counters, limit, c->read_at, c->uid);
}

enum tk_limit tk_connection_full_for(struct tk_connection *c, size_t more, size_t frame_size)
{
    return tk_inflight_full(c->loop->inflight, c->share, (int64_t)more, frame_size,
                            tk_connection_limits(c));
}

int tk_connection_refuse_busy(struct tk_connection *c, enum tk_limit limit)
{
    hit(c, limit);
    return refuse(c, TK_ERR_BUSY, tk_limit_get(tk_connection_limits(c), limit), RETRY_AFTER_MS);
}

int tk_connection_refuse_for_memory(struct tk_connection *c)
{
    return refuse(c, TK_ERR_BUSY, 0, RETRY_AFTER_MS);
}

static int on_too_large(struct tk_connection *c, const struct tk_frame *frame)
{
    (void)frame;
    hit(c, TK_LIMIT_max_frame);
    return refuse(c, TK_ERR_FRAME_TOO_LARGE, tk_connection_limits(c)->max_frame, 0);
}

static void count_streams(struct tk_connection *c)
{
    struct tk_inflight *inflight = c->loop->inflight;

    tk_inflight_charge(inflight, c->share, &c->held, tk_session_held(c->session));
    tk_inflight_count_streams(inflight, &c->streams, tk_session_streams(c->session));
}

/* Answers a request. full: the limit that forbids streams to keep more bytes, or TK_LIMIT_COUNT. */
static int call(struct tk_connection *c, const struct tk_frame *frame, enum tk_limit full)
{
    struct tk_loop *loop = c->loop;
    bool crowded = full != TK_LIMIT_COUNT;
    struct patience patience = {c->read_at, tk_connection_limits(c)->request_timeout};
    bool json_only = tk_framer_framing(&c->in.framer)->json_only;
    struct tk_serving serving = {
        .options = {.cancelled = out_of_time,
                    .opaque = &patience,
                    .flags = json_only ? TK_CALL_JSON_ONLY : 0},
        .control = loop->control,
        .draining = c->late,
        .crowded = crowded,
    };
    tk_reply *reply;
    int r;

    tk_loop_begin_run(loop, c->share);
    r = tk_serve(loop->core, c->session, frame->bytes, frame->size, &serving, &reply);
    tk_loop_end_run(loop);
    count_streams(c);
    if (r < 0)
        return answer_internal(c, "memory");
    count_answer(c, reply, frame->size);
    if (crowded && tk_reply_get_info(reply)->error == tk_errors[TK_ERR_BUSY].name)
        hit(c, full);
    return send_reply(c, reply, frame->size);
}

/* Passes an empty document to the core, which answers with a parse error and its offset. */
static int on_empty(struct tk_connection *c, const struct tk_frame *frame)
{
    static const struct tk_frame nothing = {.bytes = (const uint8_t *)""};

    (void)frame;
    return call(c, &nothing, TK_LIMIT_COUNT);
}

static int on_request(struct tk_connection *c, const struct tk_frame *frame)
{
    size_t fresh = c->in.borrowed ? frame->size : 0; /* bytes in the scratch aren't charged yet */
    /* With open streams, this request may feed one: the bytes that it keeps count as well. */
    size_t kept = c->streams > 0 ? frame->size : 0;
    enum tk_limit full = tk_connection_full_for(c, fresh + kept, frame->size);
    size_t charged = c->charged;
    int r;

    if (full != TK_LIMIT_COUNT && c->streams == 0)
        return tk_connection_refuse_busy(c, full);
    if (fresh < TK_SHORT_FRAME) /* short requests take little time: not worth the lock */
        return call(c, frame, full);
    tk_inflight_charge(c->loop->inflight, c->share, &c->charged, charged + fresh);
    r = call(c, frame, full);
    tk_inflight_charge(c->loop->inflight, c->share, &c->charged, charged);
    return r;
}

typedef int answer(struct tk_connection *c, const struct tk_frame *frame);

static answer *const answers[TK_FRAME_KINDS] = {
    [TK_FRAME_REQUEST] = on_request,
    [TK_FRAME_EMPTY] = on_empty,
    [TK_FRAME_TOO_LARGE] = on_too_large,
};

int tk_connection_answer(struct tk_connection *c, const struct tk_frame *frame)
{
    return answers[frame->kind](c, frame);
}
