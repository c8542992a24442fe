/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and results in the form `parts` (STREAM.md 8.1). */
#include "stream/emit_parts.h"

void tk_write_copied(struct tk_work *k, const struct tk_copied_member *members, struct tk_val v)
{
    for (; members->name.p; members++) {
        struct tk_val member = tk_get(v, members->name);

        if (tk_is(member, (enum tk_kind)members->kind))
            tk_parts_put(k, members->name.p, member);
    }
}

/* ---- calls ---- */

static void put_call_start(struct tk_work *k, const struct tk_stream_block *b, struct tk_str id,
                           struct tk_str name)
{
    struct tk_writer *w = tk_parts_begin(k, TK_PARTS_TOOL_INPUT_START);

    tk_write_kv_str(w, "id", id);
    tk_write_kv_str(w, "name", name);
    tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, b->role == TK_STREAM_BLOCK_CALL);
    tk_parts_end(k, b->at);
}

/* Writes the end of a call's input and the call itself. v: the block as it started. */
static void put_call(struct tk_work *k, const struct tk_stream_block *b, struct tk_val v,
                     struct tk_str id, struct tk_str name)
{
    struct tk_writer *w = tk_parts_begin(k, TK_PARTS_TOOL_INPUT_END);
    bool provider = b->role == TK_STREAM_BLOCK_CALL;

    tk_write_kv_str(w, "id", id);
    tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, provider);
    tk_parts_end(k, b->at);
    tk_parts_begin(k, TK_PARTS_TOOL_CALL);
    tk_write_kv_str(w, "id", id);
    tk_write_kv_str(w, "name", name);
    tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, provider);
    tk_input_write(k, b, v);
    tk_write_copied(k, k->format->copied_of_call, v);
    tk_parts_end(k, b->at);
}

void tk_parts_client_call_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v)
{
    struct tk_stream_block_view view = k->format->read_block(v, k->arena);

    put_call_start(k, b, view.id, view.name);
}

void tk_parts_client_call_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val v = tk_read_kept(k, &b->start, k->first);
    struct tk_stream_block_view view;

    if (!tk_exists(v))
        return;
    view = k->format->read_block(v, k->arena);
    put_call(k, b, v, view.id, view.name);
}

void tk_parts_put_call(struct tk_work *k, const struct tk_operation *op)
{
    const struct tk_stream_block *b = tk_block_at(k->s, op->call);
    struct tk_val v = tk_read_kept(k, &b->start, k->first);

    if (!tk_exists(v))
        return;
    put_call_start(k, b, op->id, op->name);
    put_call(k, b, v, op->id, op->name);
}

/* ---- results ---- */

void tk_write_source(struct tk_work *k, const struct tk_stream_source_view *source,
                     struct tk_str call_id)
{
    struct tk_writer *w = tk_parts_begin(k, TK_PARTS_SOURCE);

    tk_parts_put(k, "id", source->url);
    tk_parts_put(k, "url", source->url);
    tk_write_key(w, "title");
    if (tk_is(source->title, TK_STRING))
        tk_write_any(w, source->title);
    else
        tk_write_cstr(w, "");
    tk_write_kv_cstr(w, TK_PARTS_SOURCE_TYPE, "url");
    tk_write_key(w, TK_PARTS_TOOL_CALL_ID);
    if (call_id.p)
        tk_write_str(w, call_id);
    else
        tk_write_null(w);
}

static void put_sources(struct tk_work *k, const struct tk_operation *op, struct tk_val list)
{
    struct tk_stream_source_view source;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (k->format->read_source(v, &source)) {
            tk_write_source(k, &source, op->id);
            tk_parts_end(k, op->result);
        }
}

/* Writes a result. Its name is the call's; if that is unknown, what the result's type tells. */
static void put_result(struct tk_work *k, const struct tk_operation *op,
                       const struct tk_stream_result_view *result, struct tk_val v)
{
    struct tk_writer *w = tk_parts_begin(k, TK_PARTS_TOOL_RESULT);

    tk_write_kv_str(w, "id", op->id);
    tk_write_kv_str(w, "name", op->name.p ? op->name : result->name);
    tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, true);
    tk_write_kv_str(w, TK_PARTS_RESULT_TYPE, result->type);
    if (tk_exists(result->content))
        tk_parts_put(k, TK_PARTS_CONTENT, result->content);
    tk_write_kv_bool(w, TK_PARTS_IS_ERROR, result->is_error);
    if (tk_exists(result->error_code))
        tk_parts_put(k, TK_PARTS_ERROR_CODE, result->error_code);
    tk_write_copied(k, k->format->copied_of_result, v);
    tk_parts_end(k, op->result);
}

void tk_parts_put_operation(struct tk_work *k, const struct tk_operation *op)
{
    struct tk_val v = tk_read_kept(k, &tk_block_at(k->s, op->result)->start, k->third);
    struct tk_stream_result_view result;

    if (!tk_exists(v))
        return;
    k->format->read_result(v, k->arena, &result);
    put_sources(k, op, result.sources);
    if (op->call != TK_NONE)
        tk_parts_put_call(k, op);
    put_result(k, op, &result, v);
}
