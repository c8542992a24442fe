/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `pair` is a stream (STREAM.md section 1): of one turn both say the same, message, seal and
 * finish, whichever way round: a stream's turn given to pair, a response sent as a stream.
 */
#include "../calls.h"
#include "../recorded.h"
#include "../recording.h"
#include "../tap.h"
#include "value/compact.h"
#include "value/splice.h"

/* ---- calls ---- */

static struct tk_val call(struct caller *c, struct tk_str request)
{
    bool failed;
    struct tk_val result = caller_call(c, request, &failed);

    CU_ASSERT_FALSE(failed);
    return result;
}

/* The result of stream.end, all else having been fed in pieces of that size. */
static struct tk_val end_of(struct caller *c, enum tk_codec codec, const struct recorded *s,
                            size_t size)
{
    bool open, failed;

    call(c, caller_request(c, codec, "stream.open", s->open));
    open = true;
    for (size_t at = 0; open && at < s->bytes.n; at += size) {
        size_t n = s->bytes.n - at < size ? s->bytes.n - at : size;
        struct tk_val result =
            caller_call(c, caller_feed(c, (struct tk_str){s->bytes.p + at, n}), &failed);

        open = !failed && tk_text_is(tk_get(result, TK_STR("state")), TK_STR("open"));
    }
    return call(c, caller_request(c, codec, "stream.end", s->end));
}

static bool is_done(struct tk_val end)
{
    return tk_text_is(tk_get(end, TK_STR("state")), TK_STR("done"));
}

/* A block that never stopped isn't in the message, and an input that isn't JSON is in it as an
 * object: pair, which is given the message, can't know. */
static bool is_whole(struct tk_val end)
{
    struct tk_val warnings = tk_get(end, TK_STR("warnings"));

    return !tk_exists(tk_get(warnings, TK_STR("unstopped_block"))) &&
           !tk_exists(tk_get(warnings, TK_STR("invalid_client_input")));
}

static void say(struct tk_str name, const char *what)
{
    printf("# %.*s: %s\n", (int)name.n, name.p, what);
}

/* ---- a stream's turn given to pair ---- */

/* True if it was compared. */
static bool compare_with_pair(struct caller *c, enum tk_codec codec, const struct recorded *s)
{
    struct record streamed = {NULL, 0, 0}, paired = {NULL, 0, 0};
    struct tk_val end = end_of(c, codec, s, s->bytes.n);
    bool compared = s->of_blocks && is_done(end) && is_whole(end);

    if (compared) {
        record_turn(&streamed, end);
        record_turn(&paired, call(c, caller_pair(c, codec, s->open, end)));
        if (!record_same(&streamed, &paired))
            say(s->name, "pair says something else");
        CU_ASSERT(record_same(&streamed, &paired));
    }
    record_done(&streamed);
    record_done(&paired);
    caller_forget(c);
    return compared;
}

static void test_turns(void)
{
    struct recordings all;
    struct caller c;
    unsigned compared = 0;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.stream_count; i++)
        for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++)
            compared += compare_with_pair(&c, (enum tk_codec)codec, &all.streams[i]);
    printf("# %u turns\n", compared);
    CU_ASSERT(compared > 200);
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

/* ---- a response sent as a stream ---- */

struct sending {
    struct tk_out out;
    struct tk_writer w; /* of the event that is being written */
    struct tk_arena *arena;
};

static void begin_event(struct sending *s, const char *type)
{
    tk_out_put(&s->out, "data: ", 6);
    tk_writer_init(&s->w, TK_JSON, &s->out);
    tk_write_map(&s->w);
    tk_write_kv_cstr(&s->w, "type", type);
}

static void end_event(struct sending *s)
{
    tk_write_end(&s->w);
    tk_out_put(&s->out, "\n\n", 2);
}

static struct tk_str compact(struct sending *s, struct tk_val v)
{
    struct tk_out out;

    tk_out_init(&out, s->arena);
    tk_compact_json(&out, v, NULL);
    return tk_out_join(&out);
}

static void send_delta(struct sending *s, int index, const char *type, const char *member,
                       struct tk_str value)
{
    begin_event(s, "content_block_delta");
    tk_write_kv_int(&s->w, "index", index);
    tk_write_key(&s->w, "delta");
    tk_write_map(&s->w);
    tk_write_kv_cstr(&s->w, "type", type);
    tk_write_key(&s->w, member);
    tk_write_raw(&s->w, value);
    tk_write_end(&s->w);
    end_event(s);
}

/* Two deltas, cut where a character begins. */
static void send_input(struct sending *s, int index, struct tk_str text)
{
    size_t cut = text.n / 2;

    while (cut > 0 && ((uint8_t)text.p[cut] & 0xC0) == 0x80)
        cut--;
    for (int i = 0; i < 2; i++) {
        struct tk_str piece = {text.p + (i ? cut : 0), i ? text.n - cut : cut}, value;
        struct tk_writer w;
        struct tk_out out;

        tk_out_init(&out, s->arena);
        tk_writer_init(&w, TK_JSON, &out);
        tk_write_str(&w, piece);
        value = tk_out_join(&out);
        send_delta(s, index, "input_json_delta", "partial_json", value);
    }
}

/* The members of blocks that a provider sends in deltas, and their values at the start. */
static const struct {
    struct tk_str block, member;
    const char *empty, *delta;
} parted[] = {
    {TK_STR_INIT("text"), TK_STR_INIT("text"), "\"\"", "text_delta"},
    {TK_STR_INIT("thinking"), TK_STR_INIT("thinking"), "\"\"", "thinking_delta"},
    {TK_STR_INIT("thinking"), TK_STR_INIT("signature"), "\"\"", "signature_delta"},
    {TK_STR_INIT("server_tool_use"), TK_STR_INIT("input"), "{}", NULL},
    {TK_STR_INIT("mcp_tool_use"), TK_STR_INIT("input"), "{}", NULL},
    {TK_STR_INIT("tool_use"), TK_STR_INIT("input"), "{}", NULL},
};

static bool is_parted(size_t row, struct tk_val block)
{
    return tk_text_is(tk_get(block, TK_STR("type")), parted[row].block) &&
           tk_exists(tk_get(block, parted[row].member));
}

/* The block as its start has it. */
static struct tk_str emptied(struct sending *s, struct tk_val block)
{
    struct tk_str bytes = compact(s, block);

    for (size_t i = 0; i < sizeof(parted) / sizeof(parted[0]); i++) {
        struct reading r;

        reading_init(&r);
        if (reading_json(&r, bytes) == 0 && is_parted(i, block))
            bytes = tk_splice_replace(s->arena, tk_root(&r.doc),
                                      tk_get(tk_root(&r.doc), parted[i].member),
                                      tk_str_of(parted[i].empty));
        CU_ASSERT_TRUE(reading_done(&r));
    }
    return bytes;
}

static void send_block(struct sending *s, int index, struct tk_val block)
{
    begin_event(s, "content_block_start");
    tk_write_kv_int(&s->w, "index", index);
    tk_write_key(&s->w, "content_block");
    tk_write_raw(&s->w, emptied(s, block));
    end_event(s);
    for (size_t i = 0; i < sizeof(parted) / sizeof(parted[0]); i++) {
        struct tk_val member = tk_get(block, parted[i].member);

        if (!is_parted(i, block))
            continue;
        if (parted[i].delta)
            send_delta(s, index, parted[i].delta, parted[i].member.p, tk_span(member));
        else
            send_input(s, index, compact(s, member));
    }
    begin_event(s, "content_block_stop");
    tk_write_kv_int(&s->w, "index", index);
    end_event(s);
}

/* The response without what comes later in a stream. */
static void send_start(struct sending *s, struct tk_val response)
{
    begin_event(s, "message_start");
    tk_write_key(&s->w, "message");
    tk_write_map(&s->w);
    for (struct tk_val m = tk_first(response); tk_exists(m); m = tk_after(response, m)) {
        if (tk_key_is(m, TK_STR("content")) || tk_key_is(m, TK_STR("stop_reason")) ||
            tk_key_is(m, TK_STR("stop_sequence")))
            continue;
        tk_write_key_str(&s->w, tk_raw_key(m));
        tk_write_raw(&s->w, compact(s, m));
    }
    tk_write_end(&s->w);
    end_event(s);
}

static void send_end(struct sending *s, struct tk_val response)
{
    static const char *const facts[] = {"stop_reason", "stop_sequence"};

    begin_event(s, "message_delta");
    tk_write_key(&s->w, "delta");
    tk_write_map(&s->w);
    for (size_t i = 0; i < 2; i++) {
        struct tk_val v = tk_get(response, tk_str_of(facts[i]));

        tk_write_key(&s->w, facts[i]);
        if (tk_exists(v))
            tk_write_any(&s->w, v);
        else
            tk_write_null(&s->w);
    }
    tk_write_end(&s->w);
    end_event(s);
    begin_event(s, "message_stop");
    end_event(s);
}

static struct tk_str as_stream(struct tk_val response, struct tk_arena *arena)
{
    struct tk_val content = tk_get(response, TK_STR("content"));
    struct sending s = {.arena = arena};
    int index = 0;

    tk_out_init(&s.out, arena);
    if (tk_text_is(tk_get(response, TK_STR("type")), TK_STR("error"))) {
        put_frame(&s.out, response, arena);
        return tk_out_join(&s.out);
    }
    send_start(&s, response);
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        send_block(&s, index++, v);
    send_end(&s, response);
    return tk_out_join(&s.out);
}

static struct tk_val without_response(struct caller *c, struct tk_val params, struct reading *r)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &c->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    tk_write_kv_cstr(&w, "stream", "s");
    for (struct tk_val m = tk_first(params); tk_exists(m); m = tk_after(params, m)) {
        if (tk_key_is(m, TK_STR("response")))
            continue;
        tk_write_key_str(&w, tk_raw_key(m));
        tk_write_val(&w, m);
    }
    tk_write_end(&w);
    CU_ASSERT_EQUAL(reading_json(r, tk_out_join(&out)), 0);
    return tk_root(&r->doc);
}

/* An error tells the event that it was, which here is another: what it says of the turn remains. */
static void compare_errors(struct tk_val pair, struct tk_val end, struct tk_arena *arena)
{
    struct tk_val a = tk_get(pair, TK_STR("error")), b = tk_get(end, TK_STR("error"));

    CU_ASSERT_EQUAL(tk_is(a, TK_NULL), tk_is(b, TK_NULL));
    if (tk_is(a, TK_OBJECT))
        CU_ASSERT(same_value(tk_get(a, TK_STR("kinds")), tk_get(b, TK_STR("kinds")), arena));
}

static bool same_members(struct tk_val a, struct tk_val b, const char *but, const char *nor,
                         struct tk_arena *arena)
{
    bool same = tk_count(a) == tk_count(b);

    for (struct tk_val m = tk_first(a); tk_exists(m) && same; m = tk_after(a, m))
        same = tk_key_is(m, tk_str_of(but)) || tk_key_is(m, tk_str_of(nor)) ||
               same_value(m, tk_get(b, tk_raw_key(m)), arena);
    return same;
}

static bool same_finish(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    if (!tk_is(a, TK_OBJECT))
        return tk_is(b, TK_NULL);
    return same_members(a, b, "usage", "", arena) &&
           same_members(tk_get(a, TK_STR("usage")), tk_get(b, TK_STR("usage")), "start", "delta",
                        arena);
}

/* By value: a response keeps its white space, a stream has none. */
static void compare_with_stream(struct caller *c, const struct recorded_response *r,
                                const struct recorded *s, size_t size)
{
    static const char *const compared[] = {"state", "message", "seal", "warnings"};
    struct tk_val pair = call(c, caller_request(c, TK_JSON, "pair", r->params)), end;
    struct caller other;

    CU_ASSERT_TRUE_FATAL(caller_init(&other, tk_libc_allocator));
    end = end_of(&other, TK_JSON, s, size);
    for (size_t i = 0; i < sizeof(compared) / sizeof(compared[0]); i++) {
        struct tk_str name = tk_str_of(compared[i]);
        bool same = same_value(tk_get(pair, name), tk_get(end, name), &c->arena);

        if (!same)
            say(r->name, compared[i]);
        CU_ASSERT(same);
    }
    CU_ASSERT(
        same_finish(tk_get(pair, TK_STR("finish")), tk_get(end, TK_STR("finish")), &c->arena));
    compare_errors(pair, end, &c->arena);
    caller_done(&other);
}

static void test_responses(void)
{
    struct recordings all;
    struct caller c;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.response_count; i++) {
        const struct recorded_response *r = &all.responses[i];
        struct recorded s = {.end = tk_first(tk_root(&all.params.doc))};
        struct reading params;

        if (!r->of_blocks)
            continue;
        reading_init(&params);
        s.open = without_response(&c, r->params, &params);
        s.bytes = as_stream(tk_get(r->params, TK_STR("response")), &params.arena);
        for (size_t size = 1; size <= s.bytes.n; size = 3 * size + 1)
            compare_with_stream(&c, r, &s, size);
        compare_with_stream(&c, r, &s, s.bytes.n);
        CU_ASSERT_TRUE(reading_done(&params));
        caller_forget(&c);
    }
    printf("# %zu responses\n", all.response_count);
    CU_ASSERT(all.response_count > 15);
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

TAP_MAIN("stream_pair", TAP_TEST(test_turns), TAP_TEST(test_responses))
