/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a whole response: feeds it as one chunk, whose deltas are the messages. */
#include "providers/openai/chat/stream/chat_stream.h"
#include "stream/stream.h"

static void put(struct tk_writer *w, const char *key, struct tk_val v)
{
    if (!tk_exists(v))
        return;
    tk_write_key(w, key);
    tk_write_any(w, v);
}

/* In a message the place of a call is its index. */
static void put_calls(struct tk_stream_turn *t, struct tk_writer *w, struct tk_val calls)
{
    static const struct tk_str index_name = TK_STR_INIT("index");
    int64_t index = 0;

    tk_write_key(w, "tool_calls");
    tk_write_list(w);
    for (struct tk_val e = tk_first(calls); tk_exists(e); e = tk_after(calls, e)) {
        if (!tk_is(e, TK_OBJECT)) {
            tk_write_any(w, e);
            continue;
        }
        tk_write_map(w);
        tk_write_kv_int(w, "index", index++);
        tk_turn_write_others(t, e, &index_name, 1, w);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void put_message(struct tk_stream_turn *t, struct tk_writer *w, struct tk_val message)
{
    static const struct tk_str calls_name = TK_STR_INIT("tool_calls");
    struct tk_val calls = tk_get(message, calls_name);
    bool indexed = tk_is(calls, TK_ARRAY);

    tk_write_map(w);
    tk_turn_write_others(t, message, &calls_name, indexed, w);
    if (indexed)
        put_calls(t, w, calls);
    tk_write_end(w);
}

static void put_choice(struct tk_stream_turn *t, struct tk_writer *w, struct tk_val choice)
{
    struct tk_val message = tk_get(choice, TK_STR("message"));

    if (!tk_is(message, TK_OBJECT)) {
        tk_write_any(w, choice);
        return;
    }
    tk_write_map(w);
    put(w, "index", tk_get(choice, TK_STR("index")));
    tk_write_key(w, "delta");
    put_message(t, w, message);
    put(w, "finish_reason", tk_get(choice, TK_STR("finish_reason")));
    tk_write_end(w);
}

int tk_chat_read_response(struct tk_stream_turn *t, struct tk_val response)
{
    static const char *const facts[] = {"error", "id", "model", "usage", "x_groq"};
    struct tk_val choices = tk_get(response, TK_STR("choices"));
    struct tk_val error = tk_get(response, TK_STR("error"));
    struct tk_encoding e;

    if (!tk_is(choices, TK_ARRAY) && (!tk_exists(error) || tk_is(error, TK_NULL)))
        return TK_STREAM_NO_RESPONSE;
    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_map(&e.w);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        put(&e.w, facts[i], tk_get(response, tk_str_of(facts[i])));
    tk_write_key(&e.w, "choices");
    tk_write_list(&e.w);
    for (struct tk_val c = tk_first(choices); tk_exists(c); c = tk_after(choices, c))
        put_choice(t, &e.w, c);
    tk_write_end(&e.w);
    tk_write_end(&e.w);
    return tk_turn_feed(t, tk_encode_end(&e));
}
