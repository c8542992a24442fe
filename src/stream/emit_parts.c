/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form `parts` (STREAM.md 8.1). Blocks without a pair leave live; an operation leaves in one
 * piece once both halves are complete.
 */
#include "stream/stream_inside.h"

static struct tk_writer *begin(struct tk_work *k, const char *type)
{
    tk_write_map(k->w);
    tk_write_kv_cstr(k->w, "type", type);
    return k->w;
}

static void end(struct tk_work *k, uint32_t at)
{
    tk_write_kv_int(k->w, "wire_index", at);
    tk_write_end(k->w);
}

/* Text and reasoning have no id on the wire: their index serves. */
static struct tk_writer *begin_indexed(struct tk_work *k, const char *type,
                                       const struct tk_stream_block *b)
{
    struct tk_writer *w = begin(k, type);

    tk_write_key(w, "id");
    tk_write_strf(w, "%u", b->at);
    return w;
}

static void put_any(struct tk_work *k, const char *key, struct tk_val v)
{
    tk_write_key(k->w, key);
    tk_write_any(k->w, v);
}

static bool has_text(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_raw(v).n > 0;
}

static void put_if_object(struct tk_work *k, const char *key, struct tk_val v)
{
    if (tk_is(v, TK_OBJECT))
        put_any(k, key, v);
}

static void put_if_string(struct tk_work *k, const char *key, struct tk_val v)
{
    if (tk_is(v, TK_STRING))
        put_any(k, key, v);
}

/* ---- text and reasoning ---- */

static const char *const delta_parts[TK_STREAM_BLOCK_ROLES] = {
    [TK_STREAM_BLOCK_TEXT] = "text_delta",
    [TK_STREAM_BLOCK_THINKING] = "reasoning_delta",
    [TK_STREAM_BLOCK_CLIENT_CALL] = "tool_input_delta",
};

/* Up to the delta itself. */
static void begin_delta(struct tk_work *k, const struct tk_stream_block *b)
{
    if (b->role == TK_STREAM_BLOCK_CLIENT_CALL) {
        struct tk_val start = tk_read_kept(k, &b->start, k->first);

        begin(k, delta_parts[b->role]);
        tk_write_kv_str(k->w, "id", tk_text(tk_get(start, TK_STR("id")), k->arena));
        tk_write_kv_bool(k->w, "provider_executed", false);
    } else {
        begin_indexed(k, delta_parts[b->role], b);
    }
    tk_write_key(k->w, "delta");
}

/*
 * Most outputs are deltas of text, and most of their bytes are always the same: they are written
 * once for each block, with null where the text goes.
 */
static void make_frame(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_encoding e;
    struct tk_work to = *k;
    struct tk_str part;
    size_t from, behind;

    tk_encode_begin(&e, k->w->codec, &k->s->arena);
    to.w = &e.w;
    begin_delta(&to, b);
    from = e.out.size;
    tk_write_null(&e.w);
    behind = e.out.size;
    end(&to, b->at);
    part = tk_encode_end(&e);
    if (part.p)
        b->added->part = (struct tk_part_frame){
            {part.p, from}, {part.p + behind, part.n - behind}, (uint8_t)k->w->codec};
}

/* Writes the text of a block's start, or of its last delta. */
static void put_text(struct tk_work *k, struct tk_stream_block *b, struct tk_val text)
{
    struct tk_part_frame *frame;

    if (!has_text(text))
        return;
    if (!b->added) {
        begin_delta(k, b);
        tk_write_any(k->w, text);
        end(k, b->at);
        return;
    }
    frame = &b->added->part;
    if (!frame->head.p || frame->codec != k->w->codec)
        make_frame(k, b);
    if (frame->head.p)
        tk_write_framed(k->w, frame->head, text, frame->tail);
}

static void put_citation(struct tk_work *k, const struct tk_stream_block *b, struct tk_val citation)
{
    begin_indexed(k, "citation", b);
    put_any(k, "citation", citation);
    end(k, b->at);
}

static void put_signature(struct tk_work *k, const struct tk_stream_block *b,
                          struct tk_val signature)
{
    if (!has_text(signature))
        return;
    begin_indexed(k, "reasoning_delta", b);
    tk_write_kv_cstr(k->w, "delta", "");
    put_any(k, "signature", signature);
    end(k, b->at);
}

static void text_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    struct tk_val citations = tk_get(v, TK_STR("citations"));

    begin_indexed(k, "text_start", b);
    end(k, b->at);
    for (struct tk_val c = tk_first(citations); tk_exists(c); c = tk_after(citations, c))
        put_citation(k, b, c);
    put_text(k, b, tk_get(v, TK_STR("text")));
}

static void thinking_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    begin_indexed(k, "reasoning_start", b);
    end(k, b->at);
    put_text(k, b, tk_get(v, TK_STR("thinking")));
    put_signature(k, b, tk_get(v, TK_STR("signature")));
}

static void redacted_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    begin_indexed(k, "reasoning_start", b);
    put_if_string(k, "redacted_data", tk_get(v, TK_STR("data")));
    end(k, b->at);
}

static void text_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    begin_indexed(k, "text_end", b);
    end(k, b->at);
}

static void thinking_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_read_kept(k, &b->start, k->first);
    struct tk_val signature = tk_exists(v) ? tk_get(v, TK_STR("signature")) : v;

    if (tk_is_kept(&tk_block_added(b)->last))
        signature = tk_read_kept(k, &tk_block_added(b)->last, k->second);
    begin_indexed(k, "reasoning_end", b);
    if (has_text(signature))
        put_any(k, "signature", signature);
    end(k, b->at);
}

static void redacted_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_read_kept(k, &b->start, k->first);

    begin_indexed(k, "reasoning_end", b);
    put_if_string(k, "redacted_data", tk_get(v, TK_STR("data")));
    end(k, b->at);
}

/* ---- calls ---- */

static void put_call_start(struct tk_work *k, const struct tk_stream_block *b, struct tk_str id,
                           struct tk_str name)
{
    struct tk_writer *w = begin(k, "tool_input_start");

    tk_write_kv_str(w, "id", id);
    tk_write_kv_str(w, "name", name);
    tk_write_kv_bool(w, "provider_executed", b->role == TK_STREAM_BLOCK_CALL);
    end(k, b->at);
}

/* The end of its input and the call itself. v: its start. */
static void put_call(struct tk_work *k, const struct tk_stream_block *b, struct tk_val v,
                     struct tk_str id, struct tk_str name)
{
    struct tk_writer *w = begin(k, "tool_input_end");
    bool provider = b->role == TK_STREAM_BLOCK_CALL;

    tk_write_kv_str(w, "id", id);
    tk_write_kv_bool(w, "provider_executed", provider);
    end(k, b->at);
    begin(k, "tool_call");
    tk_write_kv_str(w, "id", id);
    tk_write_kv_str(w, "name", name);
    tk_write_kv_bool(w, "provider_executed", provider);
    tk_input_write(k, b, v);
    put_if_object(k, "caller", tk_get(v, TK_STR("caller")));
    put_if_string(k, "server_name", tk_get(v, TK_STR("server_name")));
    put_if_string(k, "toolset_name", tk_get(v, TK_STR("toolset_name")));
    end(k, b->at);
}

static void client_call_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    put_call_start(k, b, tk_text(tk_get(v, TK_STR("id")), k->arena),
                   tk_text(tk_get(v, TK_STR("name")), k->arena));
}

static void client_call_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_read_kept(k, &b->start, k->first);

    if (tk_exists(v))
        put_call(k, b, v, tk_text(tk_get(v, TK_STR("id")), k->arena),
                 tk_text(tk_get(v, TK_STR("name")), k->arena));
}

/* A provider's call leaves with its result, or at the end without one. */
static void put_operation_call(struct tk_work *k, const struct tk_operation *op)
{
    const struct tk_stream_block *b = tk_block_at(k->s, op->call);
    struct tk_val v = tk_read_kept(k, &b->start, k->first);

    if (!tk_exists(v))
        return;
    put_call_start(k, b, op->id, op->name);
    put_call(k, b, v, op->id, op->name);
}

/* ---- results ---- */

static void put_source(struct tk_work *k, const struct tk_operation *op, struct tk_val hit)
{
    struct tk_val url = tk_get(hit, TK_STR("url")), title = tk_get(hit, TK_STR("title"));
    struct tk_writer *w;

    if (!tk_text_is(tk_get(hit, TK_STR("type")), TK_STR("web_search_result")) || !has_text(url))
        return;
    w = begin(k, "source");
    put_any(k, "id", url);
    put_any(k, "url", url);
    tk_write_key(w, "title");
    if (tk_is(title, TK_STRING))
        tk_write_any(w, title);
    else
        tk_write_cstr(w, "");
    tk_write_kv_cstr(w, "source_type", "url");
    tk_write_kv_str(w, "tool_call_id", op->id);
    end(k, op->result);
}

static void put_sources(struct tk_work *k, const struct tk_operation *op, struct tk_val result)
{
    struct tk_val content = tk_get(result, TK_STR("content"));

    if (!tk_text_is(tk_get(result, TK_STR("type")), TK_STR("web_search_tool_result")) ||
        !tk_is(content, TK_ARRAY))
        return;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        put_source(k, op, v);
}

/* The call's name; of a carried one that nobody named, what the result's type says. */
static struct tk_str result_name(const struct tk_operation *op, struct tk_str result_type)
{
    if (op->name.p)
        return op->name;
    return (struct tk_str){result_type.p, result_type.n - TK_STR("_tool_result").n};
}

static void put_result(struct tk_work *k, const struct tk_operation *op, struct tk_val v)
{
    struct tk_val content = tk_get(v, TK_STR("content"));
    struct tk_str type = tk_text(tk_get(v, TK_STR("type")), k->arena);
    struct tk_str content_type = tk_text(tk_get(content, TK_STR("type")), k->arena);
    bool failed = content_type.p && tk_str_ends(content_type, TK_STR("_error"));
    struct tk_writer *w = begin(k, "tool_result");

    tk_write_kv_str(w, "id", op->id);
    tk_write_kv_str(w, "name", result_name(op, type));
    tk_write_kv_bool(w, "provider_executed", true);
    tk_write_kv_str(w, "result_type", type);
    if (tk_exists(content))
        put_any(k, "content", content);
    tk_write_kv_bool(w, "is_error", failed || tk_is(tk_get(v, TK_STR("is_error")), TK_TRUE));
    if (failed && tk_exists(tk_get(content, TK_STR("error_code"))))
        put_any(k, "error_code", tk_get(content, TK_STR("error_code")));
    put_if_object(k, "caller", tk_get(v, TK_STR("caller")));
    end(k, op->result);
}

static void completed(struct tk_work *k, const struct tk_operation *op)
{
    struct tk_val result = tk_read_kept(k, &tk_block_at(k->s, op->result)->start, k->third);

    if (!tk_exists(result))
        return;
    put_sources(k, op, result);
    if (op->call != TK_NONE)
        put_operation_call(k, op);
    put_result(k, op, result);
}

/* ---- other blocks ---- */

static void opaque_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_block_folded(k, b, k->w->codec);

    if (!tk_exists(v))
        return;
    begin(k, "opaque_block");
    put_any(k, "block", v);
    end(k, b->at);
}

static const struct {
    void (*started)(struct tk_work *k, struct tk_stream_block *b, struct tk_val v);
    void (*stopped)(struct tk_work *k, struct tk_stream_block *b);
} roles[TK_STREAM_BLOCK_ROLES] = {
    [TK_STREAM_BLOCK_TEXT] = {text_started, text_stopped},
    [TK_STREAM_BLOCK_THINKING] = {thinking_started, thinking_stopped},
    [TK_STREAM_BLOCK_REDACTED] = {redacted_started, redacted_stopped},
    [TK_STREAM_BLOCK_CLIENT_CALL] = {client_call_started, client_call_stopped},
    [TK_STREAM_BLOCK_CALL] = {NULL, NULL},
    [TK_STREAM_BLOCK_RESULT] = {NULL, NULL},
    [TK_STREAM_BLOCK_COMPACTION] = {NULL, opaque_stopped},
    [TK_STREAM_BLOCK_FALLBACK] = {NULL, opaque_stopped},
    [TK_STREAM_BLOCK_OPAQUE] = {NULL, opaque_stopped},
    [TK_STREAM_BLOCK_UNKNOWN] = {NULL, opaque_stopped},
};

static void block_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v,
                          const struct tk_event *e)
{
    (void)e;
    if (roles[b->role].started)
        roles[b->role].started(k, b, v);
}

static void block_stopped(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e)
{
    (void)e;
    if (roles[b->role].stopped)
        roles[b->role].stopped(k, b);
}

static void delta(struct tk_work *k, struct tk_stream_block *b, const struct tk_event *e)
{
    switch (e->delta) {
    case TK_DELTA_TEXT:
    case TK_DELTA_THINKING:
        put_text(k, b, e->payload);
        break;
    case TK_DELTA_INPUT_JSON:
        if (b->role == TK_STREAM_BLOCK_CLIENT_CALL)
            put_text(k, b, e->payload);
        break;
    case TK_DELTA_SIGNATURE:
        put_signature(k, b, e->payload);
        break;
    case TK_DELTA_CITATIONS:
        put_citation(k, b, e->payload);
        break;
    default:
        break;
    }
}

const struct tk_emitter tk_emit_parts = {
    .block_started = block_started,
    .delta = delta,
    .block_stopped = block_stopped,
    .completed = completed,
    .deferred = put_operation_call,
    .finished = tk_finish_write,
};
