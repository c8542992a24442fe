/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/finish.h"

#include "stream/stream_inside.h"

#define TOKENS_MAX ((int64_t)1 << 53)

static const char *const counters[TK_TOKENS] = {
    [TK_TOKENS_INPUT] = "input_tokens",
    [TK_TOKENS_CACHE_CREATION] = "cache_creation_input_tokens",
    [TK_TOKENS_CACHE_READ] = "cache_read_input_tokens",
    [TK_TOKENS_OUTPUT] = "output_tokens",
};

static const char *const reasons[TK_FINISH_REASONS] = {
    [TK_FINISH_UNKNOWN] = "unknown",
    [TK_FINISH_STOP] = "stop",
    [TK_FINISH_LENGTH] = "length",
    [TK_FINISH_TOOL_CALLS] = "tool_calls",
    [TK_FINISH_CONTENT_FILTER] = "content_filter",
};

/* ---- taking ---- */

int64_t tk_tokens_of(struct tk_val v)
{
    int64_t n;

    return tk_int64(v, &n) && n >= 0 && n <= TOKENS_MAX ? n : 0;
}

/* Takes an object of counters, which replaces an earlier one; other values are ignored. */
static void take_usage(struct tk_usage *usage, const struct tk_block_format *format,
                       struct tk_val v, struct tk_arena *arena)
{
    struct tk_val m[TK_TOKENS];

    if (!tk_is(v, TK_OBJECT))
        return;
    usage->whole = tk_keep(arena, v);
    tk_pick(v, format->counters, TK_TOKENS, m);
    for (size_t i = 0; i < TK_TOKENS; i++)
        usage->tokens[i] = tk_tokens_of(m[i]);
    usage->has_output = tk_exists(m[TK_TOKENS_OUTPUT]);
}

/* Takes a fact if it is present: the last one counts. A value of another kind counts as absent. */
static void take(struct tk_kept *kept, struct tk_val v, enum tk_kind kind, struct tk_arena *arena)
{
    if (tk_is(v, kind))
        *kept = tk_keep(arena, v);
}

void tk_facts_take(struct tk_facts *f, const struct tk_block_format *format,
                   const struct tk_event *e, struct tk_arena *arena)
{
    bool is_start = e->type == TK_EVENT_MESSAGE_START;
    struct tk_stream_facts_view v;

    format->read_facts(e, &v);
    if (tk_is(v.id, TK_STRING))
        f->id = tk_arena_dup(arena, tk_text(v.id, arena));
    take(&f->wire_id, v.id, TK_STRING, arena);
    take(&f->model, v.model, TK_STRING, arena);
    if (tk_is(v.stop_reason, TK_STRING) && tk_raw(v.stop_reason).n > 0)
        f->stop_reason = tk_arena_dup(arena, tk_text(v.stop_reason, arena));
    take(&f->stop_sequence, v.stop_sequence, TK_STRING, arena);
    take(&f->stop_details, v.stop_details, TK_OBJECT, arena);
    take(&f->container, v.container, TK_OBJECT, arena);
    take_usage(is_start ? &f->start : &f->delta, format, v.usage, arena);
}

/* ---- the finish ---- */

/* Returns the row of the message's stop reason; the table's last one, which has no name, if the
 * reason is unknown or absent. */
static const struct tk_stop_reason *stop_reason_of(const struct tk_stream *s)
{
    const struct tk_stop_reason *row = s->setup.format->blocks->stop_reasons;

    while (row->name.p && !tk_str_eq(s->facts.stop_reason, row->name))
        row++;
    return row;
}

bool tk_is_excused(const struct tk_stream *s)
{
    uint8_t excuse = stop_reason_of(s)->excuse;

    return excuse == TK_EXCUSE_ALWAYS || (excuse == TK_EXCUSE_WITH_CLIENT_CALL && s->client_call);
}

/* Returns a counter. Those of the input in a delta are sums over all rounds in which the provider ran
 * tools, so the ones in the start are preferred. */
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

const char *tk_finish_reason_name(enum tk_finish_reason reason)
{
    return reasons[reason];
}

void tk_finish_begin(struct tk_work *k, enum tk_finish_reason reason, struct tk_str stop_reason)
{
    const struct tk_facts *f = &k->s->facts;
    struct tk_writer *w = k->w;

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "finish");
    write_kept(k, "id", &f->wire_id);
    write_kept(k, "model", &f->model);
    tk_write_kv_cstr(w, "reason", reasons[reason]);
    tk_write_key(w, "stop_reason");
    if (stop_reason.p)
        tk_write_str(w, stop_reason);
    else
        tk_write_null(w);
    write_kept(k, "stop_sequence", &f->stop_sequence);
    write_kept(k, "stop_details", &f->stop_details);
    write_kept(k, "container", &f->container);
    tk_write_key(w, "usage");
}

void tk_finish_tokens(struct tk_work *k, const int64_t *n, int64_t total)
{
    tk_write_map(k->w);
    for (size_t i = 0; i < TK_TOKENS; i++)
        tk_write_kv_int(k->w, counters[i], n[i]);
    tk_write_kv_int(k->w, "total_tokens", total);
}

void tk_finish_write(struct tk_work *k)
{
    const struct tk_facts *f = &k->s->facts;
    int64_t n[TK_TOKENS];

    for (size_t i = 0; i < TK_TOKENS; i++)
        n[i] = tokens(f, (enum tk_counter_kind)i);
    tk_finish_begin(k, (enum tk_finish_reason)stop_reason_of(k->s)->reason, f->stop_reason);
    tk_finish_tokens(k, n, n[TK_TOKENS_INPUT] + n[TK_TOKENS_OUTPUT]);
    write_kept(k, "start", &f->start.whole);
    write_kept(k, "delta", &f->delta.whole);
    tk_write_end(k->w);
    tk_write_key(k->w, "pending_operations");
    tk_stream_write_pending(k->s, k->w);
    tk_write_end(k->w);
}
