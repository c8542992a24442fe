/* SPDX-License-Identifier: Apache-2.0 */
/* Answers: begins and ends each reply. */
#include "methods/core/request.h"

#include <errno.h>
#include <inttypes.h>

#include "methods/core/core.h"

/* `retry_after_ms` sent with `busy`. */
#define RETRY_AFTER_MS 100

bool tk_request_cancelled(const struct tk_request *rq)
{
    const tk_call_options *call = &rq->serving->options;
    int64_t timeout_ms = tk_param_int(&rq->params, TK_P_TIMEOUT_MS);

    return call->cancelled && call->cancelled(call->opaque, (uint32_t)timeout_ms);
}

bool tk_request_cancelled_cb(void *rq)
{
    return tk_request_cancelled(rq);
}

bool tk_method_exists(const struct tk_request *rq, const struct tk_method *method)
{
    return (rq->host || !(method->flags & TK_METHOD_HOST)) &&
           (rq->core->keyed || !(method->flags & TK_METHOD_KEYED));
}

/* Writes {"jsonrpc": "2.0", "id": ..., and a key, whose value the caller writes next. */
static struct tk_writer *begin(struct tk_request *rq, const char *key)
{
    struct tk_writer *w = &rq->writer;

    tk_out_init(rq->out, rq->arena);
    /* Answers on the control socket are small; a limit on answers must not hide them. */
    rq->out->limit = rq->serving->control ? 0 : rq->core->max_answer;
    tk_writer_init(w, rq->codec, rq->out);
    tk_write_map(w);
    tk_write_kv_cstr(w, "jsonrpc", "2.0");
    tk_write_key(w, "id");
    if (tk_exists(rq->id))
        tk_write_val(w, rq->id);
    else
        tk_write_null(w);
    tk_write_key(w, key);
    return w;
}

struct tk_writer *tk_answer_begin_result(struct tk_request *rq)
{
    rq->state = TK_ANSWER_RESULT;
    rq->error = NULL;
    return begin(rq, "result");
}

struct tk_writer *tk_answer_begin_error_text(struct tk_request *rq, enum tk_error_id error,
                                             struct tk_str pointer, struct tk_str message)
{
    const struct tk_error_row *row = &tk_errors[error];
    struct tk_writer *w = begin(rq, "error");

    rq->state = TK_ANSWER_ERROR;
    rq->error = row;
    rq->message = message;
    rq->pointer = pointer;
    tk_write_map(w);
    tk_write_kv_int(w, "code", row->code);
    tk_write_kv_str(w, "message", message);
    tk_write_key(w, "data");
    tk_write_map(w);
    tk_write_kv_cstr(w, "name", row->name);
    if (pointer.p)
        tk_write_kv_str(w, "pointer", pointer);
    tk_write_kv_bool(w, "retryable", row->retryable);
    if (rq->stage)
        tk_write_kv_cstr(w, "stage", rq->stage);
    return w;
}

struct tk_writer *tk_answer_begin_error(struct tk_request *rq, enum tk_error_id error,
                                        struct tk_str pointer)
{
    return tk_answer_begin_error_text(rq, error, pointer, tk_str_of(tk_errors[error].message));
}

/* Number of open maps and lists in each state of an answer. */
static const int open_depth[] = {
    [TK_ANSWER_RESULT] = 1,
    [TK_ANSWER_ERROR] = 3,
};

int tk_answer_end(struct tk_request *rq)
{
    struct tk_writer *w = &rq->writer;

    if (tk_arena_failed(rq->arena))
        return -ENOMEM;
    if (tk_out_is_full(rq->out))
        return -EFBIG;
    if (w->depth != open_depth[rq->state] || w->after_key) /* the handler's value is incomplete */
        return -EPROTO;
    while (w->depth > 0)
        tk_write_end(w);
    if (tk_arena_failed(rq->arena))
        return -ENOMEM;
    if (tk_out_is_full(rq->out))
        return -EFBIG;
    rq->state = TK_ANSWER_DONE;
    return 0;
}

int tk_answer_error(struct tk_request *rq, enum tk_error_id error, struct tk_str pointer,
                    struct tk_str message)
{
    tk_answer_begin_error_text(rq, error, pointer, message);
    return tk_answer_end(rq);
}

int tk_answer_internal(struct tk_request *rq, uint64_t correlation)
{
    struct tk_writer *w = tk_answer_begin_error(rq, TK_ERR_INTERNAL, TK_NO_POINTER);

    tk_write_key(w, "correlation_id");
    tk_write_strf(w, "%016" PRIx64, correlation);
    return tk_answer_end(rq);
}

static int answer_over(struct tk_request *rq, enum tk_error_id error, uint64_t limit)
{
    struct tk_writer *w;

    tk_arena_reset(rq->arena);
    w = tk_answer_begin_error(rq, error, TK_NO_POINTER);
    rq->out->limit = 0; /* the request's id alone may exceed the limit */
    tk_write_key(w, "limit");
    tk_write_uint(w, limit);
    return tk_answer_end(rq);
}

int tk_answer_too_large(struct tk_request *rq)
{
    return answer_over(rq, TK_ERR_ANSWER_TOO_LARGE, rq->core->max_answer);
}

int tk_answer_too_costly(struct tk_request *rq, uint64_t limit)
{
    return answer_over(rq, TK_ERR_REQUEST_TOO_COSTLY, limit);
}

int tk_answer_busy(struct tk_request *rq, uint32_t limit)
{
    struct tk_writer *w = tk_answer_begin_error(rq, TK_ERR_BUSY, TK_NO_POINTER);

    if (limit != 0)
        tk_write_kv_int(w, "limit", limit);
    tk_write_kv_int(w, "retry_after_ms", RETRY_AFTER_MS);
    return tk_answer_end(rq);
}
