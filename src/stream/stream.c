/* SPDX-License-Identifier: Apache-2.0 */
/* A stream's life, and what each event does to it (STREAM.md sections 3 and 4). */
#include "stream/stream.h"

#include <errno.h>

#include "stream/stream_inside.h"

/* ---- life ---- */

static const struct tk_emitter *const emitters[TK_STREAM_FORMS] = {
    [TK_FORM_PARTS] = &tk_emit_parts,
    [TK_FORM_EVENTS] = &tk_emit_events,
    [TK_FORM_SSE] = &tk_emit_sse,
};

struct tk_stream *tk_stream_new(const struct tk_stream_setup *setup)
{
    tk_allocator allocator = setup->allocator;
    struct tk_stream *s = allocator.resize(allocator.opaque, NULL, 0, sizeof(*s));

    if (!s)
        return NULL;
    *s = (struct tk_stream){
        .memory = {allocator, sizeof(*s)},
        .setup = *setup,
        .emitter = emitters[setup->form],
        .state = TK_STREAM_OPEN,
    };
    tk_arena_init(&s->arena, tk_memory_allocator(&s->memory));
    tk_arena_init(&s->error_arena, tk_memory_allocator(&s->memory));
    tk_sse_init(&s->sse, &s->memory);
    tk_operations_init(&s->operations, &s->arena, setup->hash_key);
    return s;
}

void tk_stream_free(struct tk_stream *s)
{
    if (!s)
        return;
    tk_sse_done(&s->sse);
    tk_arena_done(&s->arena);
    tk_arena_done(&s->error_arena);
    s->setup.allocator.resize(s->setup.allocator.opaque, s, sizeof(*s), 0);
}

enum tk_stream_state tk_stream_state(const struct tk_stream *s)
{
    return (enum tk_stream_state)s->state;
}

const char *tk_stream_state_name(const struct tk_stream *s)
{
    static const char *const names[] = {
        [TK_STREAM_OPEN] = "open",
        [TK_STREAM_DONE] = "done",
        [TK_STREAM_FAILED] = "failed",
    };

    return names[s->state];
}

size_t tk_stream_held(const struct tk_stream *s)
{
    return s->memory.held;
}

bool tk_stream_is_too_large(const struct tk_stream *s)
{
    return s->state == TK_STREAM_FAILED && s->error.kind == TK_STREAM_FAULT_STREAM_TOO_LARGE;
}

/* ---- reading again ---- */

struct tk_val tk_read_again(struct tk_work *k, struct tk_str bytes, enum tk_codec codec,
                            struct tk_doc *tape)
{
    /* It was held to the real limits when it came; a reload may have lowered them since. */
    struct tk_read_limits limits = {
        .max_depth = UINT32_MAX,
        .max_values = UINT32_MAX,
        .hash_key = {k->s->setup.hash_key[0], k->s->setup.hash_key[1]},
    };
    struct tk_read_error error;
    int r = -ENOMEM;

    if (bytes.p)
        r = (codec == TK_JSON ? tk_json_read : tk_msgpack_read)(tape, bytes.p, bytes.n, &limits,
                                                                k->arena, &error);
    if (r == 0)
        return tk_root(tape);
    k->arena->failed = true; /* it was read before: only memory can be lacking */
    return TK_NO_VAL;
}

struct tk_val tk_read_kept(struct tk_work *k, const struct tk_kept *kept, struct tk_doc *tape)
{
    return tk_read_again(k, tk_arena_dup(k->arena, kept->bytes), (enum tk_codec)kept->codec, tape);
}

/* Without memory the value is lost; null is written, since a value must follow its key. */
void tk_write_kept(struct tk_work *k, const struct tk_kept *kept)
{
    struct tk_val v = tk_is_kept(kept) ? tk_read_kept(k, kept, k->first) : TK_NO_VAL;

    if (tk_exists(v))
        tk_write_any(k->w, v);
    else
        tk_write_null(k->w);
}

/* ---- failing ---- */

static void write_error(struct tk_work *k)
{
    const struct tk_stream *s = k->s;

    tk_stream_error_begin(k->w, &s->error);
    if (s->emitter->error_members)
        s->emitter->error_members(k, &s->error);
    tk_write_end(k->w);
}

int tk_stream_fail(struct tk_work *k, const struct tk_stream_error *error)
{
    tk_stream_error_keep(&k->s->error_arena, error, &k->s->error);
    k->s->state = TK_STREAM_FAILED;
    write_error(k);
    return TK_FAILED;
}

static int fail_at(struct tk_work *k, enum tk_fault kind, int64_t at)
{
    return tk_stream_fail(k, &(struct tk_stream_error){.kind = (uint8_t)kind, .wire_index = at});
}

/* ---- blocks ---- */

/* kept: the block's bytes, where they are kept already; e NULL: message_start brought it. */
static int start_block(struct tk_work *k, struct tk_val v, const struct tk_kept *kept,
                       const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    struct tk_block_view view = tk_block_view(v, k->arena);
    struct tk_stream_block *b = tk_block_add(&s->blocks, &s->arena, view.role);
    int r;

    if (!b)
        return -ENOMEM;
    b->start = kept ? *kept : tk_keep(&s->arena, v);
    b->prefilled = !e;
    b->has_text = tk_raw(tk_get(v, TK_STR("text"))).n > 0;
    r = tk_pair_block_started(k, b, &view);
    if (r != 0)
        return r;
    if (s->emitter->block_started)
        s->emitter->block_started(k, b, v, e);
    return 0;
}

static int stop_block(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    struct tk_operation *completed;
    int r = 0;

    b->stopped = true;
    if (tk_block_is_call(b) && !tk_block_is_abandoned(s, b))
        r = tk_input_complete(k, b);
    if (r != 0)
        return r;
    completed = tk_pair_block_stopped(k, b);
    if (s->emitter->block_stopped)
        s->emitter->block_stopped(k, b, e);
    if (completed && s->emitter->completed)
        s->emitter->completed(k, completed);
    return 0;
}

/* The blocks that a message brings along have started and stopped, one after the other. */
static int take_content(struct tk_work *k, struct tk_val content)
{
    struct tk_kept all = TK_KEPT_NOTHING;
    int r = 0;

    if (tk_exists(tk_first(content)))
        all = tk_keep(&k->s->arena, content);
    for (struct tk_val v = tk_first(content); tk_exists(v) && r == 0; v = tk_after(content, v)) {
        struct tk_kept kept = tk_kept_part(&all, content, v);

        r = start_block(k, v, &kept, NULL);
        if (r == 0)
            r = stop_block(k, tk_block_at(k->s, k->s->blocks.count - 1), NULL);
    }
    return r;
}

/* ---- events ---- */

static int repeated_start(struct tk_work *k, const struct tk_event *e)
{
    struct tk_str id = tk_text(tk_get(e->body, TK_STR("id")), k->arena), first = k->s->facts.id;

    if (!id.p != !first.p || !tk_str_eq(id, first))
        return tk_stream_fail(k, &(struct tk_stream_error){
                                     .kind = TK_STREAM_FAULT_DUPLICATE_MESSAGE_START, .id = id});
    tk_warn(k, TK_WARNING_REPEATED_MESSAGE_START);
    return 0;
}

static int on_message_start(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream *s = k->s;
    int r;

    if (s->begun)
        return repeated_start(k, e);
    s->begun = true;
    tk_facts_of_message(&s->facts, e->body, &s->arena);
    r = take_content(k, tk_get(e->body, TK_STR("content")));
    if (r == 0 && s->emitter->message_started)
        s->emitter->message_started(k, e);
    return r;
}

static int on_block_start(struct tk_work *k, const struct tk_event *e)
{
    uint32_t expected = k->s->blocks.count;

    if (e->at != expected)
        return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_INDEX_GAP,
                                                           .wire_index = e->at,
                                                           .expected_index = expected});
    return start_block(k, e->body, NULL, e);
}

/* The open block that an event is about. 0 or TK_FAILED. */
static int find_block(struct tk_work *k, const struct tk_event *e, struct tk_stream_block **ret)
{
    if (e->at < 0 || e->at >= k->s->blocks.count)
        return fail_at(k, TK_STREAM_FAULT_UNKNOWN_INDEX, e->at);
    *ret = tk_block_at(k->s, (uint32_t)e->at);
    return (*ret)->stopped ? fail_at(k, TK_STREAM_FAULT_BLOCK_ALREADY_STOPPED, e->at) : 0;
}

static int mismatch(struct tk_work *k, const struct tk_stream_block *b, const struct tk_event *e)
{
    struct tk_val start = tk_read_kept(k, &b->start, k->first);

    return tk_stream_fail(k, &(struct tk_stream_error){
                                 .kind = TK_STREAM_FAULT_DELTA_TYPE_MISMATCH,
                                 .wire_index = b->at,
                                 .delta_type = e->delta_text,
                                 .block_type = tk_text(tk_get(start, TK_STR("type")), k->arena)});
}

static int on_block_delta(struct tk_work *k, const struct tk_event *e)
{
    const struct tk_emitter *emitter = k->s->emitter;
    struct tk_stream_block *b = NULL;
    bool is_mismatch;
    int r = find_block(k, e, &b);

    if (r != 0)
        return r;
    if (tk_block_takes(b, e->delta, &is_mismatch)) {
        tk_block_fold(b, e, &k->s->arena, k->arena);
        if (emitter->delta)
            emitter->delta(k, b, e);
        return 0;
    }
    if (is_mismatch)
        return mismatch(k, b, e);
    tk_warn(k, TK_WARNING_UNKNOWN_DELTA);
    if (emitter->ignored_delta)
        emitter->ignored_delta(k, b, e);
    return 0;
}

static int on_block_stop(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream_block *b = NULL;
    int r = find_block(k, e, &b);

    return r == 0 ? stop_block(k, b, e) : r;
}

static int on_message_delta(struct tk_work *k, const struct tk_event *e)
{
    tk_facts_of_delta(&k->s->facts, e->body, e->usage, &k->s->arena);
    if (k->s->emitter->message_delta)
        k->s->emitter->message_delta(k, e);
    return 0;
}

static int on_message_stop(struct tk_work *k, const struct tk_event *e)
{
    int r;

    k->s->over = true;
    r = tk_stream_conclude(k, NULL);
    if (r == 0 && k->s->emitter->message_stopped)
        k->s->emitter->message_stopped(k, e);
    return r;
}

static int on_ping(struct tk_work *k, const struct tk_event *e)
{
    (void)e;
    if (k->s->emitter->ping)
        k->s->emitter->ping(k);
    return 0;
}

static struct tk_str text_or_empty(struct tk_val v, struct tk_arena *arena)
{
    struct tk_str s = tk_text(v, arena);

    return s.p ? s : TK_STR("");
}

static int on_error(struct tk_work *k, const struct tk_event *e)
{
    struct tk_stream_error error = {
        .kind = TK_STREAM_FAULT_PROVIDER_ERROR,
        .error_type = text_or_empty(tk_get(e->body, TK_STR("type")), k->arena),
        .message = text_or_empty(tk_get(e->body, TK_STR("message")), k->arena),
        .request_id = tk_text(e->request_id, k->arena),
        .error_event = {tk_span(e->root), e->root.doc->codec},
    };

    if (tk_is(e->body, TK_OBJECT))
        error.error_object = (struct tk_kept){tk_span(e->body), e->body.doc->codec};
    error.retryable = tk_provider_error_retryable(error.error_type);
    return tk_stream_conclude(k, &error);
}

static int on_unknown(struct tk_work *k, const struct tk_event *e)
{
    tk_warn(k, TK_WARNING_UNKNOWN_EVENT);
    if (k->s->emitter->unknown_event)
        k->s->emitter->unknown_event(k, e);
    return 0;
}

static const struct {
    int (*handle)(struct tk_work *k, const struct tk_event *e);
    bool needs_start; /* the message must have begun */
} handlers[TK_EVENT_TYPES] = {
    [TK_EVENT_UNKNOWN] = {on_unknown, false},
    [TK_EVENT_MESSAGE_START] = {on_message_start, false},
    [TK_EVENT_BLOCK_START] = {on_block_start, true},
    [TK_EVENT_BLOCK_DELTA] = {on_block_delta, true},
    [TK_EVENT_BLOCK_STOP] = {on_block_stop, true},
    [TK_EVENT_MESSAGE_DELTA] = {on_message_delta, true},
    [TK_EVENT_MESSAGE_STOP] = {on_message_stop, true},
    [TK_EVENT_PING] = {on_ping, false},
    [TK_EVENT_ERROR] = {on_error, false},
};

/* Its shape is good. 0, TK_FAILED, -ENOMEM. */
static int handle(struct tk_work *k, const struct tk_event *e)
{
    int r;

    if (handlers[e->type].needs_start && !k->s->begun)
        return tk_stream_fail(
            k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_EVENT_BEFORE_MESSAGE_START,
                                         .event = e->type_text});
    r = handlers[e->type].handle(k, e);
    if (r == 0 && k->s->state == TK_STREAM_OPEN && k->s->emitter->settled)
        k->s->emitter->settled(k);
    return r;
}

/* ---- calls from outside ---- */

static struct tk_work begin_work(const struct tk_stream_call *call, struct tk_stream *s)
{
    return (struct tk_work){
        .s = s,
        .w = call->w,
        .arena = call->arena,
        .event = &call->tapes[0],
        .first = &call->tapes[1],
        .second = &call->tapes[2],
        .third = &call->tapes[3],
        .call = call,
    };
}

/* The end of each call. A failed stream keeps its error and nothing else. */
static int end_work(struct tk_work *k, int r)
{
    struct tk_stream *s = k->s;

    if (r < 0 && r != -ENOMEM)
        return r;
    if (r < 0 || tk_arena_failed(&s->arena) || tk_arena_failed(&s->error_arena) ||
        tk_arena_failed(k->arena))
        return -ENOMEM;
    if (s->state == TK_STREAM_OPEN)
        return 0;
    tk_sse_done(&s->sse);
    tk_sse_init(&s->sse, &s->memory);
    if (s->state == TK_STREAM_FAILED)
        tk_arena_done(&s->arena);
    return 0;
}

static int too_large(struct tk_work *k)
{
    return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_STREAM_TOO_LARGE,
                                                       .limit = (int64_t)k->s->setup.max_buffer});
}

bool tk_stream_is_fed_with(const struct tk_stream *s, bool bytes)
{
    return s->fed_with == (bytes ? TK_FED_BYTES : TK_FED_EVENTS);
}

static int goes_on(const struct tk_work *k)
{
    return k->call->stop ? k->call->stop(k->call->stop_arg) : 0;
}

static int feed_event(struct tk_work *k, struct tk_val root)
{
    struct tk_event e;
    int r = tk_event_read(root, k->arena, &e);

    if (r == TK_EVENT_MALFORMED)
        return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_MALFORMED_EVENT,
                                                           .event = e.type_text});
    return handle(k, &e);
}

int tk_stream_feed_events(const struct tk_stream_call *call, struct tk_stream *s,
                          struct tk_val list)
{
    struct tk_work k = begin_work(call, s);
    int r = 0;

    s->fed_with = TK_FED_EVENTS;
    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0 && s->state == TK_STREAM_OPEN;
         v = tk_after(list, v)) {
        s->fed += tk_span(v).n;
        r = s->fed > s->setup.max_buffer ? too_large(&k) : feed_event(&k, v);
        if (r == 0)
            r = goes_on(&k);
    }
    return end_work(&k, r);
}

static int feed_frame(struct tk_work *k, const struct tk_sse_frame *frame)
{
    struct tk_event e;
    int r = tk_frame_read(k, frame, &e);

    if (r == TK_FRAME_DROPPED)
        return 0;
    return r == 0 && k->s->state == TK_STREAM_OPEN ? handle(k, &e) : r;
}

/* All frames that end in these bytes. */
static int feed_frames(struct tk_work *k, struct tk_str bytes)
{
    struct tk_sse_frame frame;
    int r = 0, more;

    tk_sse_feed(&k->s->sse, bytes);
    do {
        more = tk_sse_next(&k->s->sse, &frame);
        if (more > 0)
            r = feed_frame(k, &frame);
        if (r == 0)
            r = goes_on(k);
    } while (more > 0 && r == 0 && k->s->state == TK_STREAM_OPEN);
    return more < 0 ? more : r;
}

/* Handles the first byte beyond the limit: it only proves that a CR before it ended a line. */
static int feed_beyond(struct tk_work *k)
{
    struct tk_sse_frame frame;
    int r = tk_sse_release(&k->s->sse, &frame);

    if (r > 0)
        r = feed_frame(k, &frame);
    return r == 0 && k->s->state == TK_STREAM_OPEN ? too_large(k) : r;
}

int tk_stream_feed_bytes(const struct tk_stream_call *call, struct tk_stream *s,
                         struct tk_str bytes)
{
    struct tk_work k = begin_work(call, s);
    uint64_t room = s->setup.max_buffer - s->fed;
    struct tk_str within = {bytes.p, bytes.n < room ? bytes.n : (size_t)room};
    int r;

    s->fed_with = TK_FED_BYTES;
    s->fed += within.n;
    r = feed_frames(&k, within);
    if (r == 0 && s->state == TK_STREAM_OPEN && within.n < bytes.n)
        r = feed_beyond(&k);
    return end_work(&k, r);
}

int tk_stream_end(const struct tk_stream_call *call, struct tk_stream *s, struct tk_str transport)
{
    struct tk_work k = begin_work(call, s);
    struct tk_stream_error error = {
        .kind = TK_STREAM_FAULT_TRANSPORT_ERROR, .retryable = true, .transport = transport};
    struct tk_sse_frame frame;
    int r = 0, more = 0;

    if (s->state != TK_STREAM_OPEN)
        return 0;
    more = tk_sse_last(&s->sse, &frame);
    if (more > 0)
        r = feed_frame(&k, &frame);
    if (more < 0)
        r = more;
    if (r == 0 && s->state == TK_STREAM_OPEN)
        r = tk_stream_conclude(&k, transport.p ? &error : NULL);
    return end_work(&k, r);
}

/* ---- a whole response ---- */

/* {"type": "message_start", "message": the response} */
static struct tk_val start_of(struct tk_work *k, struct tk_val response)
{
    enum tk_codec codec = (enum tk_codec)response.doc->codec;
    struct tk_encoding e;

    tk_encode_begin(&e, codec, k->arena);
    tk_write_map(&e.w);
    tk_write_kv_cstr(&e.w, "type", "message_start");
    tk_write_key(&e.w, "message");
    tk_write_val(&e.w, response);
    tk_write_end(&e.w);
    return tk_read_again(k, tk_encode_end(&e), codec, k->event);
}

int tk_stream_feed_response(const struct tk_stream_call *call, struct tk_stream *s,
                            struct tk_val response)
{
    struct tk_work k = begin_work(call, s);
    struct tk_val event;
    int r;

    if (tk_text_is(tk_get(response, TK_STR("type")), TK_STR("error")))
        return end_work(&k, feed_event(&k, response));
    event = start_of(&k, response);
    r = tk_exists(event) ? feed_event(&k, event) : -ENOMEM;
    if (r == 0 && s->state == TK_STREAM_OPEN) {
        event = tk_read_again(&k, TK_STR("{\"type\":\"message_stop\"}"), TK_JSON, k.event);
        r = tk_exists(event) ? feed_event(&k, event) : -ENOMEM;
    }
    return end_work(&k, r);
}

/* ---- the outcome ---- */

int tk_stream_write_error(const struct tk_stream_call *call, struct tk_stream *s)
{
    struct tk_work k = begin_work(call, s);

    write_error(&k);
    return end_work(&k, 0);
}

static void write_warnings(struct tk_writer *w, const struct tk_stream *s)
{
    static const char *const names[TK_WARNING_COUNT] = {
#define TK_WARNING_NAME(id, name) [TK_WARNING_##id] = name,
        TK_WARNINGS(TK_WARNING_NAME)
#undef TK_WARNING_NAME
    };

    tk_write_key(w, "warnings");
    tk_write_map(w);
    for (size_t i = 0; i < TK_WARNING_COUNT; i++)
        if (s->warnings[i] > 0)
            tk_write_kv_int(w, names[i], s->warnings[i]);
    tk_write_end(w);
}

static void write_null(struct tk_writer *w, const char *key)
{
    tk_write_key(w, key);
    tk_write_null(w);
}

static void write_done(struct tk_work *k)
{
    tk_write_key(k->w, "finish");
    tk_finish_write(k);
    write_null(k->w, "error");
    tk_message_write(k);
}

static void write_failed(struct tk_work *k)
{
    write_null(k->w, "finish");
    tk_write_key(k->w, "error");
    write_error(k);
    write_null(k->w, "message");
    write_null(k->w, "seal");
}

int tk_stream_write_outcome(const struct tk_stream_call *call, struct tk_stream *s)
{
    struct tk_work k = begin_work(call, s);

    if (s->state == TK_STREAM_DONE)
        write_done(&k);
    else
        write_failed(&k);
    write_warnings(call->w, s);
    return end_work(&k, 0);
}
