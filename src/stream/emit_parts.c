/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form `parts` (STREAM.md 8.1). Blocks without a pair leave live; an operation leaves in one
 * piece once both halves are complete.
 */
#include "stream/emit_parts.h"

static bool has_text(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_raw(v).n > 0;
}

/* Begins an output of a block that has no id: its index serves as one. */
static struct tk_writer *begin_indexed(struct tk_work *k, const char *type,
                                       const struct tk_stream_block *b)
{
    struct tk_writer *w = tk_parts_begin(k, type);

    tk_write_key(w, "id");
    tk_write_strf(w, "%u", b->at);
    return w;
}

static const struct tk_block_members *members_of(const struct tk_work *k,
                                                 const struct tk_stream_block *b)
{
    return &k->format->members[b->role];
}

/* ---- deltas of text ---- */

static const char *const delta_types[TK_STREAM_BLOCK_ROLES] = {
    [TK_STREAM_BLOCK_TEXT] = TK_PARTS_TEXT_DELTA,
    [TK_STREAM_BLOCK_REASONING] = TK_PARTS_REASONING_DELTA,
    [TK_STREAM_BLOCK_CLIENT_CALL] = TK_PARTS_TOOL_INPUT_DELTA,
};

static struct tk_str id_of_call(struct tk_work *k, const struct tk_stream_block *b)
{
    struct tk_val start = tk_read_kept(k, &b->start, k->first);

    return tk_exists(start) ? k->format->read_block(start, k->arena).id : TK_STR("");
}

/* Begins an output, up to the text of the delta. */
static void begin_delta(struct tk_work *k, const void *block)
{
    const struct tk_stream_block *b = block;

    if (b->role == TK_STREAM_BLOCK_CLIENT_CALL) {
        tk_parts_begin(k, delta_types[b->role]);
        tk_write_kv_str(k->w, "id", id_of_call(k, b));
        tk_write_kv_bool(k->w, TK_PARTS_PROVIDER_EXECUTED, false);
    } else {
        begin_indexed(k, delta_types[b->role], b);
    }
    tk_write_key(k->w, TK_PARTS_DELTA);
}

static void end_delta(struct tk_work *k, const void *block)
{
    tk_parts_end(k, ((const struct tk_stream_block *)block)->at);
}

/* Writes the text of a block's start, or of its last delta. */
static void put_text(struct tk_work *k, struct tk_stream_block *b, struct tk_val text)
{
    if (!has_text(text))
        return;
    if (b->added) {
        if (!tk_part_frame_fits(&b->added->part, k->w->codec))
            tk_part_frame_make(k, &b->added->part, begin_delta, end_delta, b);
        tk_part_frame_put(k->w, &b->added->part, text);
        return;
    }
    begin_delta(k, b);
    tk_write_any(k->w, text);
    end_delta(k, b);
}

/* ---- text ---- */

static void put_citation(struct tk_work *k, const struct tk_stream_block *b, struct tk_val citation)
{
    begin_indexed(k, TK_PARTS_CITATION, b);
    tk_parts_put(k, TK_PARTS_CITATION, citation);
    tk_parts_end(k, b->at);
}

static void text_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    struct tk_val citations = tk_named(v, members_of(k, b)->list);

    begin_indexed(k, TK_PARTS_TEXT_START, b);
    tk_parts_end(k, b->at);
    for (struct tk_val c = tk_first(citations); tk_exists(c); c = tk_after(citations, c))
        put_citation(k, b, c);
    put_text(k, b, tk_named(v, members_of(k, b)->text));
}

static void text_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    begin_indexed(k, TK_PARTS_TEXT_END, b);
    tk_parts_end(k, b->at);
}

/* ---- reasoning ---- */

static void put_signature(struct tk_work *k, const struct tk_stream_block *b,
                          struct tk_val signature)
{
    if (!has_text(signature))
        return;
    begin_indexed(k, TK_PARTS_REASONING_DELTA, b);
    tk_write_kv_cstr(k->w, TK_PARTS_DELTA, "");
    tk_parts_put(k, TK_PARTS_SIGNATURE, signature);
    tk_parts_end(k, b->at);
}

static void reasoning_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    begin_indexed(k, TK_PARTS_REASONING_START, b);
    tk_parts_end(k, b->at);
    put_text(k, b, tk_named(v, members_of(k, b)->text));
    put_signature(k, b, tk_named(v, members_of(k, b)->latest));
}

static void reasoning_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_read_kept(k, &b->start, k->first);
    struct tk_val signature = tk_exists(v) ? tk_named(v, members_of(k, b)->latest) : v;

    if (tk_is_kept(&tk_block_added(b)->latest))
        signature = tk_read_kept(k, &tk_block_added(b)->latest, k->second);
    begin_indexed(k, TK_PARTS_REASONING_END, b);
    if (has_text(signature))
        tk_parts_put(k, TK_PARTS_SIGNATURE, signature);
    tk_parts_end(k, b->at);
}

/* Writes one output of redacted reasoning. v: the block as it started. */
static void put_redacted(struct tk_work *k, const struct tk_stream_block *b, const char *type,
                         struct tk_val v)
{
    struct tk_val data = tk_named(v, k->format->redacted_data);

    begin_indexed(k, type, b);
    if (tk_is(data, TK_STRING))
        tk_parts_put(k, TK_PARTS_REDACTED_DATA, data);
    tk_parts_end(k, b->at);
}

static void redacted_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    put_redacted(k, b, TK_PARTS_REASONING_START, v);
}

static void redacted_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    put_redacted(k, b, TK_PARTS_REASONING_END, tk_read_kept(k, &b->start, k->first));
}

/* ---- other blocks ---- */

static void opaque_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_block_folded(k, b, k->w->codec);

    if (!tk_exists(v))
        return;
    tk_parts_begin(k, TK_PARTS_OPAQUE_BLOCK);
    tk_parts_put(k, TK_PARTS_BLOCK, v);
    tk_parts_end(k, b->at);
}

/* ---- the emitter ---- */

static const struct {
    void (*started)(struct tk_work *k, struct tk_stream_block *b, struct tk_val v);
    void (*stopped)(struct tk_work *k, struct tk_stream_block *b);
} roles[TK_STREAM_BLOCK_ROLES] = {
    [TK_STREAM_BLOCK_TEXT] = {text_started, text_stopped},
    [TK_STREAM_BLOCK_REASONING] = {reasoning_started, reasoning_stopped},
    [TK_STREAM_BLOCK_REDACTED] = {redacted_started, redacted_stopped},
    [TK_STREAM_BLOCK_CLIENT_CALL] = {tk_parts_client_call_started, tk_parts_client_call_stopped},
    [TK_STREAM_BLOCK_CALL] = {NULL, NULL},
    [TK_STREAM_BLOCK_RESULT] = {NULL, NULL},
    [TK_STREAM_BLOCK_SUMMARY] = {NULL, opaque_stopped},
    [TK_STREAM_BLOCK_HANDOVER] = {NULL, opaque_stopped},
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
    case TK_DELTA_REASONING:
        put_text(k, b, e->payload);
        break;
    case TK_DELTA_INPUT:
        if (b->role == TK_STREAM_BLOCK_CLIENT_CALL)
            put_text(k, b, e->payload);
        break;
    case TK_DELTA_SIGNATURE:
        put_signature(k, b, e->payload);
        break;
    case TK_DELTA_CITATION:
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
    .completed = tk_parts_put_operation,
    .deferred = tk_parts_put_call,
    .finished = tk_finish_write,
};
