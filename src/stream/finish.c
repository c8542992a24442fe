/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/finish.h"

#include "stream/stream_inside.h"

#define TOKENS_MAX ((int64_t)1 << 53)

static const struct tk_str counters[TK_TOKENS] = {
    [TK_TOKENS_INPUT] = TK_STR_INIT("input_tokens"),
    [TK_TOKENS_CACHE_CREATION] = TK_STR_INIT("cache_creation_input_tokens"),
    [TK_TOKENS_CACHE_READ] = TK_STR_INIT("cache_read_input_tokens"),
    [TK_TOKENS_OUTPUT] = TK_STR_INIT("output_tokens"),
};

static const struct {
    struct tk_str stop_reason;
    const char *reason;
} reasons[] = {
    {TK_STR_INIT("end_turn"), "stop"},
    {TK_STR_INIT("pause_turn"), "stop"},
    {TK_STR_INIT("stop_sequence"), "stop"},
    {TK_STR_INIT("max_tokens"), "length"},
    {TK_STR_INIT("model_context_window_exceeded"), "length"},
    {TK_STR_INIT("tool_use"), "tool_calls"},
    {TK_STR_INIT("refusal"), "content_filter"},
    {TK_STR_INIT("content_filtered"), "content_filter"},
    {TK_STR_INIT("guardrail_intervened"), "content_filter"},
};

/* ---- taking ---- */

static int64_t tokens_of(struct tk_val v)
{
    int64_t n;

    return tk_int64(v, &n) && n >= 0 && n <= TOKENS_MAX ? n : 0;
}

/* Takes a usage object, which replaces an earlier one; other values are ignored. */
static void take_usage(struct tk_usage *usage, struct tk_val v, struct tk_arena *arena)
{
    struct tk_val m[TK_TOKENS];

    if (!tk_is(v, TK_OBJECT))
        return;
    usage->whole = tk_keep(arena, v);
    tk_pick(v, counters, TK_TOKENS, m);
    for (size_t i = 0; i < TK_TOKENS; i++)
        usage->tokens[i] = tokens_of(m[i]);
    usage->has_output = tk_exists(m[TK_TOKENS_OUTPUT]);
}

/* A value of another kind counts as absent. */
static void take(struct tk_kept *kept, struct tk_val holder, struct tk_str name, enum tk_kind kind,
                 struct tk_arena *arena)
{
    struct tk_val v = tk_get(holder, name);

    if (tk_is(v, kind))
        *kept = tk_keep(arena, v);
}

/* Takes the members that both kinds of events may have; the last present value counts. */
static void take_end(struct tk_facts *f, struct tk_val v, struct tk_arena *arena)
{
    struct tk_val reason = tk_get(v, TK_STR("stop_reason"));

    if (tk_is(reason, TK_STRING) && tk_raw(reason).n > 0)
        f->stop_reason = tk_arena_dup(arena, tk_text(reason, arena));
    take(&f->stop_sequence, v, TK_STR("stop_sequence"), TK_STRING, arena);
    take(&f->stop_details, v, TK_STR("stop_details"), TK_OBJECT, arena);
    take(&f->container, v, TK_STR("container"), TK_OBJECT, arena);
}

void tk_facts_of_message(struct tk_facts *f, struct tk_val message, struct tk_arena *arena)
{
    struct tk_val id = tk_get(message, TK_STR("id"));

    if (tk_is(id, TK_STRING))
        f->id = tk_arena_dup(arena, tk_text(id, arena));
    take(&f->wire_id, message, TK_STR("id"), TK_STRING, arena);
    take(&f->model, message, TK_STR("model"), TK_STRING, arena);
    take_end(f, message, arena);
    take_usage(&f->start, tk_get(message, TK_STR("usage")), arena);
}

void tk_facts_of_delta(struct tk_facts *f, struct tk_val delta, struct tk_val usage,
                       struct tk_arena *arena)
{
    take_end(f, delta, arena);
    take_usage(&f->delta, usage, arena);
}

/* ---- the finish ---- */

static const char *reason_of(struct tk_str stop_reason)
{
    for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
        if (tk_str_eq(stop_reason, reasons[i].stop_reason))
            return reasons[i].reason;
    return "unknown";
}

/* Input counters of a message_delta are sums over the rounds of server tools: second choice. */
static int64_t tokens(const struct tk_facts *f, enum tk_counter_kind kind)
{
    if (kind == TK_TOKENS_OUTPUT)
        return f->delta.has_output ? f->delta.tokens[kind] : f->start.tokens[kind];
    return f->start.tokens[kind] != 0 ? f->start.tokens[kind] : f->delta.tokens[kind];
}

static void write_kept(struct tk_work *k, const char *key, const struct tk_kept *kept)
{
    tk_write_key(k->w, key);
    tk_write_kept(k, kept);
}

static void write_usage(struct tk_work *k, const struct tk_facts *f)
{
    tk_write_key(k->w, "usage");
    tk_write_map(k->w);
    for (size_t i = 0; i < TK_TOKENS; i++) {
        tk_write_key_str(k->w, counters[i]);
        tk_write_int(k->w, tokens(f, (enum tk_counter_kind)i));
    }
    tk_write_kv_int(k->w, "total_tokens", tokens(f, TK_TOKENS_INPUT) + tokens(f, TK_TOKENS_OUTPUT));
    write_kept(k, "start", &f->start.whole);
    write_kept(k, "delta", &f->delta.whole);
    tk_write_end(k->w);
}

void tk_finish_write(struct tk_work *k)
{
    const struct tk_facts *f = &k->s->facts;
    struct tk_writer *w = k->w;

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "finish");
    write_kept(k, "id", &f->wire_id);
    write_kept(k, "model", &f->model);
    tk_write_kv_cstr(w, "reason", reason_of(f->stop_reason));
    tk_write_kv_str(w, "stop_reason", f->stop_reason);
    write_kept(k, "stop_sequence", &f->stop_sequence);
    write_kept(k, "stop_details", &f->stop_details);
    write_kept(k, "container", &f->container);
    write_usage(k, f);
    tk_write_key(w, "pending_operations");
    tk_stream_write_pending(k->s, w);
    tk_write_end(w);
}
