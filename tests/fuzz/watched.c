/* SPDX-License-Identifier: Apache-2.0 */
#include "watched.h"

#include "methods/core/host.h"
#include "must.h"
#include "value/unicode.h"

/* States of an id in `left`. */
enum {
    LEFT_NOTHING,
    LEFT_CARRIED, /* its call left long ago */
    LEFT_CALL,
    LEFT_BOTH,
};

/* The most that a stream may hold apart from a constant, for each byte that it was fed. */
#define HELD_CONSTANT ((size_t)16384)
#define HELD_PER_BYTE ((size_t)12)

/* ---- halves ---- */

static uint32_t *slot_of(struct watched *w, struct tk_str id)
{
    uint32_t *slot = tk_map_get(&w->left, id);
    bool is_new;

    if (!slot)
        slot = tk_map_put(&w->left, tk_arena_dup(&w->arena, id), &is_new);
    MUST(slot);
    return slot;
}

static void half_leaves(struct watched *w, struct tk_str id, bool is_result)
{
    uint32_t *slot = slot_of(w, id);

    if (w->on_half)
        w->on_half(w->arg, id, is_result);
    if (!is_result) {
        MUST(*slot == LEFT_NOTHING);
        *slot = LEFT_CALL;
        w->halves++;
        w->calls++;
        return;
    }
    MUST(*slot == LEFT_CALL || *slot == LEFT_CARRIED);
    if (*slot == LEFT_CALL)
        w->halves--;
    *slot = LEFT_BOTH;
    w->results++;
}

/* ---- the form `parts` ---- */

/* Parts of an operation that leave directly after each other, from the first to the last. */
static const struct {
    struct tk_str type, id;
    bool last, is_half, is_result;
} operation_parts[] = {
    {TK_STR_INIT("source"), TK_STR_INIT("tool_call_id"), false, false, false},
    {TK_STR_INIT("tool_input_start"), TK_STR_INIT("id"), false, false, false},
    {TK_STR_INIT("tool_input_end"), TK_STR_INIT("id"), false, false, false},
    {TK_STR_INIT("tool_call"), TK_STR_INIT("id"), false, true, false},
    {TK_STR_INIT("tool_result"), TK_STR_INIT("id"), true, true, true},
};

#define OPERATION_PARTS (sizeof(operation_parts) / sizeof(operation_parts[0]))

static size_t operation_part(struct tk_val part)
{
    struct tk_val type = tk_get(part, TK_STR("type"));
    size_t i = 0;

    if (!tk_text_is(type, TK_STR("source")) &&
        !tk_is(tk_get(part, TK_STR("provider_executed")), TK_TRUE))
        return OPERATION_PARTS;
    while (i < OPERATION_PARTS && !tk_text_is(type, operation_parts[i].type))
        i++;
    MUST(i < OPERATION_PARTS); /* no delta of a provider's call */
    return i;
}

static void part_leaves(struct watched *w, struct tk_val part)
{
    size_t i = operation_part(part);
    struct tk_str id;

    if (i == OPERATION_PARTS) {
        MUST(!w->expected.p);
        return;
    }
    id = tk_text(tk_get(part, operation_parts[i].id), &w->arena);
    MUST(id.p);
    /* Behind a call that leaves alone, at the end, another may follow. */
    MUST(!w->expected.p || tk_str_eq(w->expected, id) || *slot_of(w, w->expected) == LEFT_CALL);
    w->expected = operation_parts[i].last ? (struct tk_str){NULL, 0} : id;
    if (operation_parts[i].is_half)
        half_leaves(w, id, operation_parts[i].is_result);
}

/* ---- the forms `events` and `sse` ---- */

/* Returns the id of the operation that a block is half of; `.p == NULL` if it is no half. */
static struct tk_str half_of(struct watched *w, struct tk_val block, bool *ret_is_result)
{
    struct tk_str type = tk_text(tk_get(block, TK_STR("type")), &w->arena);
    struct tk_str id = tk_text(tk_get(block, TK_STR("id")), &w->arena);

    MUST(type.p);
    *ret_is_result = tk_str_ends(type, TK_STR("_tool_result"));
    if (*ret_is_result)
        return tk_text(tk_get(block, TK_STR("tool_use_id")), &w->arena);
    if (tk_str_ends(type, TK_STR("_tool_use")) && id.p && !tk_is_blank(id))
        return id;
    return (struct tk_str){NULL, 0};
}

static void block_leaves(struct watched *w, struct tk_val block)
{
    bool is_result;
    struct tk_str id = half_of(w, block, &is_result);

    if (id.p)
        half_leaves(w, id, is_result);
    w->blocks++;
}

static void event_leaves(struct watched *w, struct tk_val event)
{
    struct tk_val type = tk_get(event, TK_STR("type"));
    struct tk_val message = tk_get(event, TK_STR("message"));
    struct tk_val content = tk_get(message, TK_STR("content"));
    int64_t at = 0;

    if (tk_text_is(type, TK_STR("content_block_start"))) {
        MUST(tk_int64(tk_get(event, TK_STR("index")), &at) && at == w->blocks);
        block_leaves(w, tk_get(event, TK_STR("content_block")));
    } else if (tk_text_is(type, TK_STR("content_block_delta")) ||
               tk_text_is(type, TK_STR("content_block_stop"))) {
        MUST(tk_int64(tk_get(event, TK_STR("index")), &at) && at == w->blocks - 1);
    } else if (tk_text_is(type, TK_STR("message_start"))) {
        for (struct tk_val b = tk_first(content); tk_exists(b); b = tk_after(content, b))
            block_leaves(w, b);
    }
}

/* "event: TYPE\ndata: JSON\n\n" */
static void frame_leaves(struct watched *w, struct tk_val output)
{
    struct tk_str data = tk_text(tk_get(output, TK_STR("data")), &w->arena), json;
    const char *line = data.p ? memchr(data.p, '\n', data.n) : NULL;
    struct tk_str head = TK_STR("\ndata: ");
    struct reading r;

    MUST(line && tk_str_starts(data, TK_STR("event: ")) && tk_str_ends(data, TK_STR("\n\n")));
    json = (struct tk_str){line, data.n - (size_t)(line - data.p) - 2};
    MUST(tk_str_starts(json, head));
    json = (struct tk_str){json.p + head.n, json.n - head.n};
    MUST(!memchr(json.p, '\n', json.n));
    reading_init(&r);
    r.limits.max_depth = 512;
    r.limits.max_values = UINT32_MAX;
    MUST(reading_json(&r, json) == 0);
    event_leaves(w, tk_root(&r.doc));
    MUST(reading_done(&r));
}

/* ---- outputs ---- */

static bool is_end(const struct watched *w, struct tk_val output)
{
    struct tk_val type = tk_get(output, TK_STR("type"));

    if (tk_text_is(type, TK_STR("error")))
        return tk_exists(tk_get(output, TK_STR("kinds")));
    return w->parts && tk_text_is(type, TK_STR("finish"));
}

static void output_leaves(struct watched *w, struct tk_val output)
{
    w->ended_last = is_end(w, output);
    w->ends += w->ended_last;
    if (w->ended_last)
        return;
    if (w->parts)
        part_leaves(w, output);
    else if (tk_text_is(tk_get(output, TK_STR("type")), TK_STR("sse")))
        frame_leaves(w, output);
    else
        event_leaves(w, output);
}

static void take(struct watched *w, struct tk_val result)
{
    struct tk_val outputs = tk_get(result, TK_STR("outputs"));

    w->open = tk_text_is(tk_get(result, TK_STR("state")), TK_STR("open"));
    if (!w->open)
        w->on_half = NULL;
    for (struct tk_val o = tk_first(outputs); tk_exists(o); o = tk_after(outputs, o))
        output_leaves(w, o);
    record_outputs(&w->record, result);
    if (w->open)
        MUST(w->halves == 0 && !w->expected.p && w->ends == 0);
}

/* ---- calls ---- */

static struct tk_val call(struct watched *w, struct tk_str request)
{
    bool failed;
    struct tk_val result = caller_call(w->c, request, &failed);

    MUST(!failed);
    return result;
}

void watched_open(struct watched *w, struct caller *c, enum tk_codec codec, const char *params)
{
    static const uint64_t hash_key[2] = {21, 22};
    struct tk_val result, carried, emit;

    *w = (struct watched){.c = c, .codec = codec};
    tk_arena_init(&w->arena, tk_libc_allocator);
    tk_map_init(&w->left, &w->arena, hash_key);
    reading_init(&w->params);
    MUST(reading_json(&w->params, tk_str_of(params)) == 0);
    emit = tk_get(tk_root(&w->params.doc), TK_STR("emit"));
    w->parts = !tk_exists(emit) || tk_text_is(emit, TK_STR("parts"));
    w->fed = strlen(params);
    result = call(w, caller_request(c, codec, "stream.open", tk_root(&w->params.doc)));
    carried = tk_get(result, TK_STR("carried"));
    for (struct tk_val v = tk_first(carried); tk_exists(v); v = tk_after(carried, v))
        *slot_of(w, tk_text(tk_get(v, TK_STR("id")), &w->arena)) = LEFT_CARRIED;
    take(w, result);
    MUST(w->open);
    caller_forget(c);
}

void watched_feed(struct watched *w, struct tk_str request, size_t bytes)
{
    if (!w->open)
        return;
    w->fed += bytes;
    take(w, call(w, request));
    MUST(tk_session_held(w->c->session) <= HELD_CONSTANT + HELD_PER_BYTE * w->fed);
    caller_forget(w->c);
}

/* ---- the end ---- */

static bool is_null(struct tk_val result, const char *name)
{
    return tk_is(tk_get(result, tk_str_of(name)), TK_NULL);
}

/*
 * Checks that the calls that left without a result wait for it, with those carried in, and no
 * others.
 */
static void check_pending(struct watched *w, struct tk_val finish)
{
    struct tk_val list = tk_get(finish, TK_STR("pending_operations"));
    uint32_t alone = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        uint32_t left = *slot_of(w, tk_text(tk_get(v, TK_STR("id")), &w->arena));

        MUST(left == LEFT_CALL || left == LEFT_CARRIED);
        alone += left == LEFT_CALL;
    }
    MUST(alone == w->halves);
}

/* Checks that the client of a form saw what the message says. */
static void check_message(struct watched *w, struct tk_val message)
{
    struct tk_val content = tk_get(message, TK_STR("content"));
    uint32_t calls = 0, results = 0;

    for (struct tk_val b = tk_first(content); tk_exists(b); b = tk_after(content, b)) {
        bool is_result;
        struct tk_str id = half_of(w, b, &is_result);
        uint32_t left = id.p ? *slot_of(w, id) : LEFT_NOTHING;

        MUST(!id.p || left == LEFT_BOTH || (left == LEFT_CALL && !is_result));
        calls += id.p && !is_result;
        results += is_result;
    }
    MUST(calls == w->calls && results == w->results);
}

/* With an error calls leave alone only where the stream's end, and no fault in it, was the cause.
 */
static void check_error(const struct watched *w, struct tk_val error)
{
    static const char *const ends[] = {"provider_error", "transport_error", "truncated_stream"};
    struct tk_val kind = tk_get(error, TK_STR("kind"));
    bool fair = w->halves == 0;

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        fair = fair || tk_text_is(kind, tk_str_of(ends[i]));
    MUST(fair);
}

static void check_end(struct watched *w, struct tk_val result)
{
    bool done = tk_text_is(tk_get(result, TK_STR("state")), TK_STR("done"));

    MUST(w->ends == (done && !w->parts ? 0 : 1));
    MUST(w->ended_last || w->ends == 0);
    MUST(is_null(result, "finish") == !done && is_null(result, "message") == !done);
    MUST(is_null(result, "seal") == !done && is_null(result, "error") == done);
    if (!done) {
        check_error(w, tk_get(result, TK_STR("error")));
        return;
    }
    check_pending(w, tk_get(result, TK_STR("finish")));
    check_message(w, tk_get(result, TK_STR("message")));
}

/* ---- the property: history and message have no pairing fault ---- */

/* Rows 0 to 5 and 7 of RULES.md section 2. */
static const char *const pairing_codes[] = {
    "provider_executed_block_outside_assistant", "duplicate_provider_executed_id",
    "provider_executed_call_without_result",     "provider_executed_result_without_call",
    "provider_executed_result_before_call",      "invalid_provider_executed_tool_call",
    "provider_executed_result_type_mismatch",
};

static struct tk_str messages_with(struct watched *w, struct tk_val message)
{
    struct tk_val history = tk_get(tk_root(&w->params.doc), TK_STR("history"));
    struct tk_writer writer;
    struct tk_out out;

    tk_out_init(&out, &w->arena);
    tk_writer_init(&writer, TK_JSON, &out);
    tk_write_map(&writer);
    tk_write_kv_int(&writer, "max_violations", 0);
    tk_write_key(&writer, "messages");
    tk_write_list(&writer);
    for (struct tk_val m = tk_first(history); tk_exists(m); m = tk_after(history, m))
        tk_write_any(&writer, m);
    tk_write_any(&writer, message);
    tk_write_end(&writer);
    tk_write_end(&writer);
    return tk_out_join(&out);
}

/* A result may come deeper in a request than in a stream: then there is nothing to judge. */
static struct tk_val call_if_it_fits(struct watched *w, struct tk_str request)
{
    bool failed;
    struct tk_val result = caller_call(w->c, request, &failed);
    struct tk_val name = tk_get(tk_get(result, TK_STR("data")), TK_STR("name"));

    if (!failed)
        return result;
    MUST(tk_text_is(name, TK_STR("too_deep")) || tk_text_is(name, TK_STR("too_many_values")));
    return TK_NO_VAL;
}

static void check_property(struct watched *w, struct tk_val message)
{
    struct reading r;
    struct tk_val counts;

    /* Calls that only carry_in told of are in no history. */
    if (tk_exists(tk_get(tk_root(&w->params.doc), TK_STR("carry_in"))))
        return;
    reading_init(&r);
    r.limits.max_depth = 512;
    MUST(reading_json(&r, messages_with(w, message)) == 0);
    counts = tk_get(call_if_it_fits(w, caller_request(w->c, TK_JSON, "validate", tk_root(&r.doc))),
                    TK_STR("counts"));
    for (size_t i = 0; i < sizeof(pairing_codes) / sizeof(pairing_codes[0]); i++)
        MUST(!tk_exists(tk_get(counts, tk_str_of(pairing_codes[i]))));
    MUST(reading_done(&r));
}

/* ---- pair ---- */

/* True if a result has all members; pair, which is given the message, can't know some of them. */
static bool is_whole(struct tk_val result)
{
    struct tk_val warnings = tk_get(result, TK_STR("warnings"));

    return !tk_exists(tk_get(warnings, TK_STR("unstopped_block"))) &&
           !tk_exists(tk_get(warnings, TK_STR("invalid_client_input")));
}

static void check_pair(struct watched *w, struct tk_val result)
{
    struct record streamed = {NULL, 0, 0}, paired = {NULL, 0, 0};
    struct tk_val pair;

    if (!is_whole(result))
        return;
    record_turn(&streamed, result);
    pair = call_if_it_fits(w, caller_pair(w->c, w->codec, tk_root(&w->params.doc), result));
    if (tk_exists(pair)) {
        record_turn(&paired, pair);
        MUST(record_same(&streamed, &paired));
    }
    record_done(&streamed);
    record_done(&paired);
}

/* A value of the last answer, in memory of its own. */
static struct tk_val kept(struct watched *w, struct tk_val v, struct reading *r)
{
    struct tk_str bytes = tk_arena_dup(&w->arena, tk_span(v));

    reading_init(r);
    r->limits.max_depth = 512;
    r->limits.max_values = UINT32_MAX;
    MUST((w->codec == TK_JSON ? reading_json : reading_msgpack)(r, bytes) == 0);
    return tk_root(&r->doc);
}

void watched_end(struct watched *w, const char *params)
{
    struct tk_val result;
    struct reading r;

    reading_init(&r);
    MUST(reading_json(&r, tk_str_of(params ? params : "{\"stream\":\"s\"}")) == 0);
    result = call(w, caller_request(w->c, w->codec, "stream.end", tk_root(&r.doc)));
    MUST(reading_done(&r));
    take(w, result);
    record_end(&w->record, result);
    check_end(w, result);
    MUST(tk_session_held(w->c->session) == 0 && tk_session_streams(w->c->session) == 0);
    if (tk_is(tk_get(result, TK_STR("message")), TK_OBJECT)) {
        result = kept(w, result, &r);
        check_pair(w, result);
        check_property(w, tk_get(result, TK_STR("message")));
        MUST(reading_done(&r));
    }
    caller_forget(w->c);
}

void watched_done(struct watched *w)
{
    record_done(&w->record);
    tk_arena_done(&w->arena);
    MUST(reading_done(&w->params));
}
