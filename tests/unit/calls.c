/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include <stdlib.h>

static const struct tk_read_limits limits = {.max_depth = 1000, .max_values = UINT32_MAX};

bool caller_init(struct caller *c, tk_allocator allocator)
{
    tk_options options = {.size = sizeof(options), .allocator = allocator};

    *c = (struct caller){.core = tk_core_new(&options)};
    if (c->core)
        c->session = tk_session_new(c->core);
    tk_arena_init(&c->arena, tk_libc_allocator);
    tk_doc_init(&c->answer, tk_libc_allocator);
    if (c->session)
        return true;
    caller_done(c);
    return false;
}

void caller_done(struct caller *c)
{
    tk_session_free(c->session);
    tk_core_free(c->core);
    tk_arena_done(&c->arena);
    tk_doc_done(&c->answer);
}

void caller_forget(struct caller *c)
{
    tk_arena_reset(&c->arena);
}

static void begin(struct tk_writer *w, const char *method)
{
    tk_write_map(w);
    tk_write_kv_int(w, "id", 1);
    tk_write_kv_cstr(w, "method", method);
    tk_write_key(w, "params");
}

struct tk_str caller_request(struct caller *c, enum tk_codec codec, const char *method,
                             struct tk_val params)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &c->arena);
    tk_writer_init(&w, codec, &out);
    begin(&w, method);
    tk_write_any(&w, params);
    tk_write_end(&w);
    return tk_out_join(&out);
}

struct tk_str caller_feed(struct caller *c, struct tk_str bytes)
{
    struct tk_writer w;
    struct tk_out out;
    uint8_t header[5] = {0xc6, (uint8_t)(bytes.n >> 24), (uint8_t)(bytes.n >> 16),
                         (uint8_t)(bytes.n >> 8), (uint8_t)bytes.n};

    tk_out_init(&out, &c->arena);
    tk_writer_init(&w, TK_MSGPACK, &out);
    begin(&w, "stream.feed");
    tk_write_map(&w);
    tk_write_kv_cstr(&w, "stream", "s");
    tk_write_key(&w, "data");
    tk_write_raw(&w, (struct tk_str){(const char *)header, sizeof(header)});
    tk_out_put(&out, bytes.p, bytes.n);
    tk_write_end(&w);
    tk_write_end(&w);
    return tk_out_join(&out);
}

static void write_member(struct tk_writer *w, struct tk_val object, const char *name)
{
    struct tk_val v = tk_get(object, tk_str_of(name));

    if (!tk_exists(v))
        return;
    tk_write_key(w, name);
    tk_write_any(w, v);
}

static void write_usage(struct tk_writer *w, struct tk_val usage)
{
    static const char *const counters[] = {"input_tokens", "cache_creation_input_tokens",
                                           "cache_read_input_tokens", "output_tokens"};

    tk_write_key(w, "usage");
    tk_write_map(w);
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
        write_member(w, usage, counters[i]);
    tk_write_end(w);
}

static void write_response(struct tk_writer *w, struct tk_val end)
{
    static const char *const facts[] = {"id",           "model",    "stop_reason", "stop_sequence",
                                        "stop_details", "container"};
    struct tk_val finish = tk_get(end, TK_STR("finish"));

    tk_write_key(w, "response");
    tk_write_map(w);
    for (size_t i = 0; i < sizeof(facts) / sizeof(facts[0]); i++)
        write_member(w, finish, facts[i]);
    write_member(w, tk_get(end, TK_STR("message")), "content");
    write_usage(w, tk_get(finish, TK_STR("usage")));
    tk_write_end(w);
}

struct tk_str caller_pair(struct caller *c, enum tk_codec codec, struct tk_val open,
                          struct tk_val end)
{
    static const char *const shared[] = {"provider", "emit",    "provider_input",
                                         "carry_in", "history", "policy"};
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &c->arena);
    tk_writer_init(&w, codec, &out);
    begin(&w, "pair");
    tk_write_map(&w);
    for (size_t i = 0; i < sizeof(shared) / sizeof(shared[0]); i++)
        write_member(&w, open, shared[i]);
    write_response(&w, end);
    tk_write_end(&w);
    tk_write_end(&w);
    return tk_out_join(&out);
}

static struct tk_str joined(struct caller *c, const tk_reply *reply)
{
    size_t n, at = 0;
    const struct iovec *iov = tk_reply_iov(reply, &n);
    char *p = tk_arena_alloc(&c->arena, tk_reply_size(reply));

    for (size_t i = 0; i < n; at += iov[i++].iov_len)
        memcpy(p + at, iov[i].iov_base, iov[i].iov_len);
    return (struct tk_str){p, at};
}

struct tk_val caller_call(struct caller *c, struct tk_str request, bool *ret_failed)
{
    struct tk_read_error error;
    struct tk_str bytes;
    tk_reply *reply;

    *ret_failed = true;
    if (tk_call(c->core, c->session, request.p, request.n, NULL, &reply) != 0)
        return TK_NO_VAL;
    bytes = joined(c, reply);
    *ret_failed = tk_reply_get_info(reply)->error != NULL;
    tk_reply_free(reply);
    if (tk_doc_read(&c->answer, bytes.p, bytes.n, &limits, &c->arena, &error) != 0)
        abort(); /* whatever was asked, the answer is a document */
    return tk_get(tk_root(&c->answer), *ret_failed ? TK_STR("error") : TK_STR("result"));
}
