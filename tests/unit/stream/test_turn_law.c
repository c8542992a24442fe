/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The law of turns (STREAM-PROVIDERS.md 4.9): wherever a recorded stream breaks, a user's message, the
 * entries of its turn and a result for each of its calls have no error that the turn of the whole stream
 * wouldn't have.
 */
#include "../calls.h"
#include "../recorded.h"
#include "../tap.h"

/* About so many breaks are tried of each stream, evenly spread; of a shorter one each byte. */
#define BREAKS ((size_t)400)

/* ---- what a client appends ---- */

/* The model itself may have written no JSON (4.9). */
static const struct tk_str exempt[] = {
    TK_STR_INIT("chat_arguments_invalid_json"),
    TK_STR_INIT("resp_arguments_invalid_json"),
};

static void write_chat_result(struct tk_writer *w, struct tk_val call)
{
    bool old = tk_text_is(tk_get(call, TK_STR("id")), TK_STR("function_call"));

    tk_write_map(w);
    tk_write_kv_cstr(w, "role", old ? "function" : "tool");
    tk_write_key(w, old ? "name" : "tool_call_id");
    tk_write_any(w, tk_get(call, old ? TK_STR("name") : TK_STR("id")));
    tk_write_kv_cstr(w, "content", "r");
    tk_write_end(w);
}

static void write_item(struct tk_writer *w, struct tk_val call)
{
    tk_write_map(w);
    tk_write_key(w, "type");
    tk_write_any(w, tk_get(call, TK_STR("output_type")));
    tk_write_key(w, "call_id");
    tk_write_any(w, tk_get(call, TK_STR("id")));
    tk_write_kv_cstr(w, "output", "r");
    tk_write_end(w);
}

static void write_function_response(struct tk_writer *w, struct tk_val call)
{
    struct tk_val id = tk_get(call, TK_STR("id"));

    tk_write_map(w);
    tk_write_key(w, "functionResponse");
    tk_write_map(w);
    if (!tk_is(id, TK_NULL)) {
        tk_write_key(w, "id");
        tk_write_any(w, id);
    }
    tk_write_key(w, "name");
    tk_write_any(w, tk_get(call, TK_STR("name")));
    tk_write_key(w, "response");
    tk_write_map(w);
    tk_write_end(w);
    tk_write_end(w);
    tk_write_end(w);
}

static void write_tool_result(struct tk_writer *w, struct tk_val call)
{
    tk_write_map(w);
    tk_write_key(w, "toolResult");
    tk_write_map(w);
    tk_write_key(w, "toolUseId");
    tk_write_any(w, tk_get(call, TK_STR("id")));
    tk_write_key(w, "content");
    tk_write_list(w);
    tk_write_raw(w, TK_STR("{\"text\":\"r\"}"));
    tk_write_end(w);
    tk_write_end(w);
    tk_write_end(w);
}

static const struct dialect {
    struct tk_str provider;
    struct tk_str user; /* a message */
    const char *parts;  /* member of one message that has all results; NULL: they are entries */
    void (*write_result)(struct tk_writer *w, struct tk_val call);
} dialects[] = {
    {TK_STR_INIT("openai-chat"), TK_STR_INIT("{\"role\":\"user\",\"content\":\"q\"}"), NULL,
     write_chat_result},
    {TK_STR_INIT("openai-responses"), TK_STR_INIT("{\"role\":\"user\",\"content\":\"q\"}"), NULL,
     write_item},
    {TK_STR_INIT("gemini"), TK_STR_INIT("{\"role\":\"user\",\"parts\":[{\"text\":\"q\"}]}"),
     "parts", write_function_response},
    {TK_STR_INIT("bedrock"), TK_STR_INIT("{\"role\":\"user\",\"content\":[{\"text\":\"q\"}]}"),
     "content", write_tool_result},
};

#define DIALECTS (sizeof(dialects) / sizeof(dialects[0]))

static const struct dialect *dialect_of(struct tk_val open)
{
    size_t i = 0;

    while (i < DIALECTS && !tk_text_is(tk_get(open, TK_STR("provider")), dialects[i].provider))
        i++;
    return i < DIALECTS ? &dialects[i] : NULL;
}

static void write_results(struct tk_writer *w, const struct dialect *d, struct tk_val calls)
{
    if (!tk_exists(tk_first(calls)))
        return;
    if (d->parts) {
        tk_write_map(w);
        tk_write_kv_cstr(w, "role", "user");
        tk_write_key(w, d->parts);
        tk_write_list(w);
    }
    for (struct tk_val c = tk_first(calls); tk_exists(c); c = tk_after(calls, c))
        d->write_result(w, c);
    if (d->parts) {
        tk_write_end(w);
        tk_write_end(w);
    }
}

/* Returns the request that validates the next history. */
static struct tk_str next_request(struct caller *c, const struct dialect *d, struct tk_val turn)
{
    struct tk_val entries = tk_get(turn, TK_STR("entries"));
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &c->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    tk_write_kv_int(&w, "id", 1);
    tk_write_kv_cstr(&w, "method", "validate");
    tk_write_key(&w, "params");
    tk_write_map(&w);
    tk_write_kv_str(&w, "provider", d->provider);
    tk_write_key(&w, "messages");
    tk_write_list(&w);
    tk_write_raw(&w, d->user);
    for (struct tk_val e = tk_first(entries); tk_exists(e); e = tk_after(entries, e))
        tk_write_any(&w, e);
    write_results(&w, d, tk_get(turn, TK_STR("calls")));
    tk_write_end(&w);
    tk_write_end(&w);
    tk_write_end(&w);
    return tk_out_join(&out);
}

/* ---- breaks ---- */

struct tried {
    const struct recorded *stream;
    const struct dialect *dialect;
    struct tk_arena arena; /* of the codes */
    struct tk_str codes[64];
    size_t code_count; /* errors of the whole stream's turn */
};

static bool knows(const struct tried *t, struct tk_str code)
{
    for (size_t i = 0; i < t->code_count; i++)
        if (tk_str_eq(t->codes[i], code))
            return true;
    for (size_t i = 0; i < sizeof(exempt) / sizeof(exempt[0]); i++)
        if (tk_str_eq(exempt[i], code))
            return true;
    return false;
}

/* Feeds the first n bytes, and returns the errors of the history that the turn makes, as a list of
 * violations. */
static struct tk_val errors_of(struct caller *c, const struct tried *t, size_t n)
{
    struct tk_str bytes = {t->stream->bytes.p, n};
    struct tk_val result;
    bool failed;

    caller_call(c, caller_request(c, TK_MSGPACK, "stream.open", t->stream->open), &failed);
    CU_ASSERT_FALSE_FATAL(failed);
    caller_call(c, caller_feed(c, bytes), &failed);
    CU_ASSERT_FALSE(failed);
    result = caller_call(c, caller_request(c, TK_JSON, "stream.end", t->stream->end), &failed);
    CU_ASSERT_FALSE(failed);
    result = caller_call(c, next_request(c, t->dialect, tk_get(result, TK_STR("turn"))), &failed);
    CU_ASSERT_FALSE(failed);
    return tk_get(result, TK_STR("violations"));
}

static bool is_error(struct tk_val violation)
{
    return tk_text_is(tk_get(violation, TK_STR("severity")), TK_STR("error"));
}

static void note_whole(struct caller *c, struct tried *t)
{
    struct tk_val list = errors_of(c, t, t->stream->bytes.n);

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_str code = tk_text(tk_get(v, TK_STR("code")), &t->arena);

        CU_ASSERT_FATAL(t->code_count < sizeof(t->codes) / sizeof(t->codes[0]));
        if (is_error(v) && !knows(t, code))
            t->codes[t->code_count++] = tk_arena_dup(&t->arena, code);
    }
    caller_forget(c);
}

static void try_break(struct caller *c, const struct tried *t, size_t n)
{
    struct tk_val list = errors_of(c, t, n);

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct tk_str code = tk_text(tk_get(v, TK_STR("code")), &c->arena);

        if (!is_error(v) || knows(t, code))
            continue;
        printf("# %.*s, %zu of %zu bytes: %.*s\n", (int)t->stream->name.n, t->stream->name.p, n,
               t->stream->bytes.n, (int)code.n, code.p);
        CU_FAIL("a break makes an error");
    }
    caller_forget(c);
}

static void test_every_break(void)
{
    struct recordings all;
    struct caller c;
    size_t seen = 0;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.stream_count; i++) {
        struct tried t = {.stream = &all.streams[i], .dialect = dialect_of(all.streams[i].open)};

        if (!t.dialect || t.stream->bytes.n == 0)
            continue;
        tk_arena_init(&t.arena, tk_libc_allocator);
        note_whole(&c, &t);
        for (size_t n = 1; n < t.stream->bytes.n; n += 1 + t.stream->bytes.n / BREAKS)
            try_break(&c, &t, n);
        tk_arena_done(&t.arena);
        seen++;
    }
    printf("# %zu streams\n", seen);
    CU_ASSERT(seen > 10);
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

TAP_MAIN("stream_turn_law", TAP_TEST(test_every_break))
