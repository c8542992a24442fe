/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request from bytes to reply, step by step:
 *
 *     read -> envelope -> method -> admission -> parameters, formats -> handler
 *
 * Each step either lets the request pass or answers it with an error; no step runs after an answer.
 * A step that fails fatally, and a request that no step answered, get the answer `internal`.
 */
#include "methods/core/core.h"
#include "methods/core/envelope.h"
#include "methods/core/options.h"
#include "methods/core/request.h"
#include "methods/core/session.h"
#include "methods/params/formats.h"
#include "methods/params/providers.h"
#include "shapes/shape.h"
#include "value/pointer.h"

#include <errno.h>
#include <stddef.h>

/* Memory in which tk_refuse_internal() makes its answer: two blocks of an arena. */
#define INTERNAL_MEMORY 8192
/* Largest size of one byte of a text as JSON spells it: \u0061. */
#define ESCAPED_MAX 6

struct call {
    struct tk_request rq;
    const void *bytes;
    size_t size;
    struct tk_str body; /* bytes of `params.request`, which must be this one value; or .p == NULL */
    struct tk_envelope envelope;
    char caller[TK_CALLER_MAX + 1];
};

/* ---- the steps: 0 or negative errno; answered when rq.state says so ---- */

static const enum tk_error_id read_errors[] = {
    [TK_READ_PARSE_ERROR] = TK_ERR_PARSE_ERROR,
    [TK_READ_CODEC_UNKNOWN] = TK_ERR_CODEC_UNKNOWN,
    [TK_READ_DUPLICATE_KEY] = TK_ERR_DUPLICATE_KEY,
    [TK_READ_TOO_DEEP] = TK_ERR_TOO_DEEP,
    [TK_READ_TOO_MANY_VALUES] = TK_ERR_TOO_MANY_VALUES,
    [TK_READ_TRAILING_BYTES] = TK_ERR_TRAILING_BYTES,
};

/* Returns the limit that a document exceeds; 0 if the error is about no limit. */
static uint32_t limit_of(const struct tk_request *rq, enum tk_error_id id)
{
    const struct tk_read_limits *limits = &rq->core->limits;

    if (id == TK_ERR_TOO_DEEP)
        return limits->max_depth;
    return id == TK_ERR_TOO_MANY_VALUES ? limits->max_values : 0;
}

static int refuse_document(struct tk_request *rq, enum tk_error_id id,
                           const struct tk_read_error *error)
{
    struct tk_str message = tk_str_of(error->what ? error->what : tk_errors[id].message);
    struct tk_str pointer = error->pointer.n ? error->pointer : TK_NO_POINTER;
    struct tk_writer *w = tk_answer_begin_error_text(rq, id, pointer, message);

    tk_write_key(w, "offset");
    tk_write_uint(w, error->offset);
    if (limit_of(rq, id) != 0) {
        tk_write_key(w, "limit");
        tk_write_uint(w, limit_of(rq, id));
    }
    return tk_answer_end(rq);
}

/* Refuses a request that the tape's 32-bit offsets can't address. No frame of the daemon is so
 * large, but a caller of the library may pass one. */
static int refuse_size(struct tk_request *rq)
{
    struct tk_writer *w = tk_answer_begin_error(rq, TK_ERR_FRAME_TOO_LARGE, TK_NO_POINTER);

    tk_write_key(w, "limit");
    tk_write_uint(w, UINT32_MAX);
    return tk_answer_end(rq);
}

static int step_read(struct call *c)
{
    struct tk_request *rq = &c->rq;
    tk_core *core = rq->core;
    struct tk_read_error error = {0, NULL, TK_NO_POINTER};
    enum tk_codec codec;
    int r;

    if (c->size == 0)
        return refuse_document(rq, TK_ERR_PARSE_ERROR, &error);
    if (c->size > UINT32_MAX)
        return refuse_size(rq);
    if (tk_codec_of(c->bytes, c->size, &codec)) {
        if ((rq->serving->options.flags & TK_CALL_JSON_ONLY) && codec != TK_JSON)
            return refuse_document(rq, TK_ERR_CODEC_UNKNOWN, &error);
        rq->codec = codec;
    }
    core->doc.watched = TK_STR(TK_MARKER_KEY);
    r = tk_doc_read(&core->doc, c->bytes, c->size, &core->limits, rq->arena, &error);
    return r > 0 ? refuse_document(rq, read_errors[r], &error) : r;
}

/* Keeps the name that the client gave the request, for the log: also of a request that is refused before
 * its parameters are checked. A bad one is ignored here. */
static void take_caller(struct call *c)
{
    struct tk_val v = tk_get(c->envelope.params, TK_STR("caller"));
    struct tk_str caller;

    if (!tk_is(v, TK_STRING) || tk_raw(v).n > ESCAPED_MAX * TK_CALLER_MAX)
        return;
    caller = tk_text(v, c->rq.arena);
    if (!caller.p || caller.n > TK_CALLER_MAX || !tk_is_token(caller))
        return;
    memcpy(c->caller, caller.p, caller.n);
    c->caller[caller.n] = '\0';
}

static int step_envelope(struct call *c)
{
    struct tk_request *rq = &c->rq;
    struct tk_envelope_fault fault;

    if (tk_envelope_read(rq->doc, &c->envelope, &fault) != 0)
        return tk_answer_error(rq, TK_ERR_INVALID_REQUEST, fault.pointer, fault.message);
    rq->id = c->envelope.id;
    rq->notification = !tk_exists(rq->id);
    take_caller(c);
    return 0;
}

static bool is_served(const struct tk_method *method, const struct tk_request *rq)
{
    return tk_method_exists(rq, method) &&
           (!rq->serving->control || (method->flags & TK_METHOD_CONTROL)) &&
           (rq->session || !(method->flags & TK_METHOD_STREAM));
}

static int step_method(struct call *c)
{
    struct tk_request *rq = &c->rq;
    struct tk_str name = tk_text(c->envelope.method, rq->arena);
    struct tk_str said = tk_str_of(tk_errors[TK_ERR_METHOD_NOT_FOUND].message);

    for (size_t i = 0; i < tk_methods_count && !rq->method; i++) {
        const struct tk_method *method = &tk_methods[i];

        if (!tk_str_eq(name, method->name))
            continue;
        if (is_served(method, rq))
            rq->method = method;
        else if (!rq->host && (method->flags & TK_METHOD_HOST))
            said = TK_STR("this method is a daemon's own, and no daemon is asked here");
    }
    if (rq->method || rq->serving->draining) /* another daemon may have it */
        return 0;
    return tk_answer_error(rq, TK_ERR_METHOD_NOT_FOUND, TK_NO_POINTER, said);
}

/* Returns true if the request names an open stream. Parameters aren't validated yet; anything that
 * names no open stream counts as none. */
static bool names_a_stream(const struct call *c)
{
    struct tk_val key = tk_get(c->envelope.params, TK_STR("stream"));

    return tk_is(key, TK_STRING) &&
           tk_session_find(c->rq.session, tk_text(key, c->rq.arena)) != NULL;
}

static int step_admission(struct call *c)
{
    struct tk_request *rq = &c->rq;
    enum tk_error_id error = rq->serving->draining ? TK_ERR_DRAINING : TK_ERR_BUSY;
    unsigned passes = rq->serving->draining ? TK_METHOD_GOES_ON : TK_METHOD_FREES;

    if (!rq->serving->draining && !rq->serving->crowded)
        return 0;
    if (rq->method && (rq->method->flags & passes) && names_a_stream(c))
        return 0;
    if (error == TK_ERR_BUSY)
        return tk_answer_busy(rq, 0);
    return tk_answer_error(rq, error, TK_NO_POINTER, tk_str_of(tk_errors[error].message));
}

static int refuse_params(struct tk_request *rq, const struct tk_schema_fault *fault)
{
    if (rq->method->stage_of)
        rq->stage = rq->method->stage_of(fault->pointer);
    return tk_answer_error(rq, TK_ERR_INVALID_PARAMS, fault->pointer, fault->message);
}

/* Refuses changes of the bytes as sent where these aren't JSON text. Returns what
 * tk_answer_error() does, or 0; rq->state tells if the request is answered. */
static int check_form(struct tk_request *rq)
{
    struct tk_schema_fault fault = {.message =
                                        TK_STR("changes of the bytes as sent are those of JSON")};

    if (rq->codec == TK_JSON || tk_param_word(&rq->params, TK_P_RETURN) != TK_WORD_SPLICES)
        return 0;
    fault.pointer = tk_pointer_of(tk_param(&rq->params, TK_P_RETURN), TK_STR(""), rq->arena);
    return refuse_params(rq, &fault);
}

/* Checks parameters, then formats. A fault inside of the messages is reported last: if they are in
 * another format, that error is more useful. */
static int step_params(struct call *c)
{
    struct tk_request *rq = &c->rq;
    struct tk_schema_fault fault;
    int checked = tk_schema_check(rq->method->params, rq->doc, c->envelope.params, rq->arena,
                                  rq->hash_key, &rq->params, &fault);
    int r;

    if (checked < 0)
        return checked;
    if (checked == TK_SCHEMA_FAULT)
        return refuse_params(rq, &fault);
    r = check_form(rq);
    if (r == 0 && rq->state != TK_ANSWER_DONE)
        r = tk_check_provider(rq, c->envelope.params);
    if (r == 0 && rq->state != TK_ANSWER_DONE)
        r = tk_check_formats(rq);
    if (r == 0 && checked == TK_SCHEMA_LATE && rq->state != TK_ANSWER_DONE)
        r = refuse_params(rq, &fault);
    return r;
}

/* Refuses a body that isn't one value: its bytes would be parameters of the call. */
static int step_body(struct call *c)
{
    struct tk_val request = tk_get(c->envelope.params, TK_STR("request"));
    struct tk_read_error error = {0, "not one JSON document", TK_NO_POINTER};
    struct tk_str read;

    if (!c->body.p)
        return 0;
    read = tk_exists(request) ? tk_span(request) : TK_STR("");
    if (read.p == c->body.p && read.n == c->body.n)
        return 0;
    error.offset = (size_t)(c->body.p - (const char *)c->bytes);
    return refuse_document(&c->rq, TK_ERR_PARSE_ERROR, &error);
}

/* Checks the deadline once before the handler runs: the request may have waited in a queue until
 * its time was over. Stream methods have no deadline: the client can't resend what it fed. */
static int step_handler(struct call *c)
{
    struct tk_request *rq = &c->rq;
    bool timed = !(rq->method->flags & TK_METHOD_STREAM);
    int r;

    if (timed && rq->serving->options.cancelled)
        tk_budget_watch(&rq->core->budget, tk_request_cancelled_cb, rq);
    r = timed && tk_request_cancelled(rq) ? -ECANCELED : rq->method->handler(rq);
    if (r == -ECANCELED)
        return tk_answer_error(rq, TK_ERR_DEADLINE_EXCEEDED, TK_NO_POINTER,
                               tk_str_of(tk_errors[TK_ERR_DEADLINE_EXCEEDED].message));
    return r;
}

static int (*const steps[])(struct call *c) = {
    step_read, step_envelope, step_body, step_method, step_admission, step_params, step_handler,
};

/* ---- all steps ---- */

/* Answers `internal`. First frees all that was built, since there may be no memory left. */
static int answer_internal(struct tk_request *rq)
{
    rq->correlation = tk_core_correlation(rq->core);
    rq->tally = (struct tk_tally){0};
    tk_arena_reset(rq->arena);
    return tk_answer_internal(rq, rq->correlation);
}

/* Replaces an answer that grew beyond max_answer; all in the request's arena is freed. */
static int too_large(struct tk_request *rq)
{
    rq->tally = (struct tk_tally){.limit = "max_answer"};
    return tk_answer_too_large(rq);
}

/* Replaces the answer to a request that would have exceeded its memory. */
static int too_costly(struct tk_request *rq, uint64_t limit)
{
    rq->tally = (struct tk_tally){.limit = "max_memory"};
    return tk_answer_too_costly(rq, limit);
}

/* Replaces the answer to a request whose time was over while it made memory. */
static int too_late(struct tk_request *rq)
{
    rq->tally = (struct tk_tally){0};
    tk_arena_reset(rq->arena);
    return tk_answer_error(rq, TK_ERR_DEADLINE_EXCEEDED, TK_NO_POINTER,
                           tk_str_of(tk_errors[TK_ERR_DEADLINE_EXCEEDED].message));
}

/* Runs the steps until one answers. Returns 0 with an answer, or -ENOMEM. */
static int answer(struct call *c)
{
    struct tk_budget *budget = &c->rq.core->budget;
    uint64_t limit = tk_core_memory_limit(c->rq.core, c->size);
    int r = 0;

    /* Answers on the control socket are small; a limit must not hide them. */
    tk_budget_begin(budget, tk_arena_size(c->rq.arena),
                    c->rq.serving->control ? UINT64_MAX : limit);

    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]) && r == 0; i++) {
        r = steps[i](c);
        if (c->rq.state == TK_ANSWER_DONE)
            break;
    }
    tk_budget_end(budget); /* an answer about an error is small */
    if (r == 0 && c->rq.state == TK_ANSWER_DONE)
        return 0;
    if (budget->exceeded)
        return too_costly(&c->rq, limit);
    if (budget->is_late)
        return too_late(&c->rq);
    return r == -EFBIG ? too_large(&c->rq) : answer_internal(&c->rq);
}

/* Returns a C string in the arena; NULL without memory, or if there is no text. */
static const char *c_string(struct tk_str text, struct tk_arena *arena)
{
    return text.p ? tk_arena_concat(arena, (const struct tk_str[]){text, {"", 1}}, 2).p : NULL;
}

/* Returns the error that a request was answered with, for its reply. */
static tk_error error_of(const struct tk_request *rq)
{
    const char *message = c_string(rq->message, rq->arena);

    return (tk_error){
        .name = rq->error->name,
        .message = message ? message : rq->error->message,
        .pointer = c_string(rq->pointer, rq->arena),
        .code = rq->error->code,
        .retryable = rq->error->retryable,
    };
}

/* Copies the data of a request that its reply keeps. */
static void finish(tk_reply *reply, const struct tk_request *rq)
{
    if (rq->notification)
        tk_out_init(&reply->out, &reply->arena);
    reply->info = (tk_reply_info){
        .method = rq->method ? rq->method->name.p : NULL,
        .error = rq->error ? rq->error->name : NULL,
        .outcome = tk_outcome_name(rq->tally.outcome),
        .notification = rq->notification,
    };
    if (rq->error)
        reply->error = error_of(rq);
    reply->tally = rq->tally;
    if (reply->tally.edits) /* a host doesn't count TK_ACTION_NONE */
        reply->tally.edits++;
    reply->correlation = rq->correlation;
}

static void begin_request(struct tk_request *rq, tk_reply *reply, tk_session *session,
                          const struct tk_serving *serving)
{
    tk_core *core = reply->core;

    rq->core = core;
    rq->session = session;
    rq->arena = &reply->arena;
    rq->codec = TK_JSON;
    rq->doc = &core->doc;
    rq->hash_key = core->limits.hash_key;
    rq->host = core->host;
    rq->serving = serving;
    rq->tally = (struct tk_tally){0};
    rq->stage = NULL;
    rq->method = NULL;
    rq->id = TK_NO_VAL;
    rq->notification = false;
    rq->state = TK_ANSWER_NONE;
    rq->error = NULL;
    rq->message = rq->pointer = TK_NO_POINTER;
    rq->correlation = 0;
    rq->out = &reply->out;
}

static int serve(tk_core *core, tk_session *session, struct tk_str request, struct tk_str body,
                 const struct tk_serving *serving, tk_reply **ret_reply)
{
    tk_reply *reply = tk_core_take_reply(core);
    struct call c;
    int r;

    if (!reply)
        return -ENOMEM;
    c.bytes = request.p;
    c.size = request.n;
    c.body = body;
    c.caller[0] = '\0';
    begin_request(&c.rq, reply, session, serving);
    r = answer(&c);
    finish(reply, &c.rq);
    strcpy(reply->caller, c.caller);
    tk_core_trim(core);
    if (r != 0) {
        tk_reply_free(reply);
        return -ENOMEM;
    }
    *ret_reply = reply;
    return 0;
}

int tk_serve(tk_core *core, tk_session *session, const void *request, size_t size,
             const struct tk_serving *serving, tk_reply **ret_reply)
{
    return serve(core, session, (struct tk_str){request, size}, (struct tk_str){NULL, 0}, serving,
                 ret_reply);
}

int tk_call_with_body(tk_core *core, struct tk_str request, struct tk_str body,
                      const tk_call_options *options, tk_reply **ret_reply)
{
    struct tk_serving serving = {0};
    int r = tk_read_call_options(options, &serving.options);

    return r < 0 ? r : serve(core, NULL, request, body, &serving, ret_reply);
}

int tk_call(tk_core *core, tk_session *session, const void *request, size_t size,
            const tk_call_options *options, tk_reply **ret_reply)
{
    struct tk_serving serving = {0};
    int r = tk_read_call_options(options, &serving.options);

    return r < 0 ? r : tk_serve(core, session, request, size, &serving, ret_reply);
}

int tk_refuse(tk_core *core, enum tk_error_id error, uint64_t limit, uint32_t retry_after_ms,
              tk_reply **ret_reply)
{
    static const struct tk_serving plain;
    tk_reply *reply = tk_core_take_reply(core);
    struct tk_request rq;
    struct tk_writer *w;

    if (!reply)
        return -ENOMEM;
    begin_request(&rq, reply, NULL, &plain);
    w = tk_answer_begin_error(&rq, error, TK_NO_POINTER);
    if (limit != 0) {
        tk_write_key(w, "limit");
        tk_write_uint(w, limit);
    }
    if (retry_after_ms != 0)
        tk_write_kv_int(w, "retry_after_ms", retry_after_ms);
    if (tk_answer_end(&rq) != 0) {
        tk_reply_free(reply);
        return -ENOMEM;
    }
    finish(reply, &rq);
    *ret_reply = reply;
    return 0;
}

/* Memory for the blocks of an arena; freed blocks aren't used again. */
struct lent {
    char *bytes;
    size_t size;
};

static void *lend(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct lent *lent = opaque;
    void *bytes = lent->bytes;

    (void)old_size;
    if (ptr || new_size > lent->size)
        return NULL;
    lent->bytes += new_size;
    lent->size -= new_size;
    return bytes;
}

size_t tk_refuse_internal(uint64_t correlation, char to[TK_INTERNAL_MAX])
{
    _Alignas(max_align_t) char memory[INTERNAL_MEMORY];
    struct lent lent = {memory, sizeof(memory)};
    const struct tk_serving unlimited = {.control = true};
    struct tk_arena arena;
    struct tk_out out;
    struct tk_request rq = {.arena = &arena, .out = &out, .serving = &unlimited, .id = TK_NO_VAL};
    struct tk_str text = {NULL, 0};

    tk_arena_init(&arena, (tk_allocator){lend, &lent});
    if (tk_answer_internal(&rq, correlation) == 0)
        text = tk_out_join(&out);
    if (text.n > TK_INTERNAL_MAX)
        text.n = 0;
    if (text.n > 0)
        memcpy(to, text.p, text.n);
    tk_arena_done(&arena);
    return text.n;
}
