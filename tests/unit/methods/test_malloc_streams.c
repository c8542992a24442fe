/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep over streams: in the life of each recorded one, from stream.open to stream.end, and in
 * `pair` of its turn, each allocation fails once, by itself or with all that the call makes after
 * it. The call then answers `internal`, or nothing, or what it would have said anyway; a stream
 * that was at work is gone or goes on as if nothing had been, another one of the same connection
 * never notices, and nothing leaks.
 *
 * A call takes few large blocks. So that every piece taken from them is at a block's border in some
 * run, some streams are tried with padding of growing length before them, in the stream's memory
 * and in that of the answers.
 */
#include "../calls.h"
#include "../recorded.h"
#include "../recording.h"
#include "../tap.h"
#include "methods/core/host.h"
#include "value/unicode.h"

#include <stdlib.h>

enum {
    STEP = 56,        /* of the padding; odd eighths, so that borders fall everywhere */
    MOST = 4096,      /* as large as the smallest block */
    EVERY = 16,       /* of the streams are padded */
    MOST_CALLS = 4000 /* no life here takes more blocks */
};

/* Fails one allocation, or all from that one on until it is told to stop. */
struct failing {
    struct memory memory;
    size_t calls, fail_at;
    bool only_that;
};

static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct failing *f = opaque;
    tk_allocator inner = memory_allocator(&f->memory);

    if (new_size > 0 && f->fail_at > 0 &&
        (f->only_that ? ++f->calls == f->fail_at : ++f->calls >= f->fail_at))
        return NULL;
    return inner.resize(inner.opaque, ptr, old_size, new_size);
}

/* ---- requests ---- */

enum {
    LIFE = 4,
};

struct life {
    struct tk_str requests[LIFE]; /* `.p == NULL`: a step that isn't made */
};

static struct tk_str request(struct caller *c, enum tk_codec codec, const char *method,
                             struct tk_str json)
{
    struct reading r;
    struct tk_str bytes;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, json), 0);
    bytes = caller_request(c, codec, method, tk_root(&r.doc));
    CU_ASSERT_TRUE(reading_done(&r));
    return bytes;
}

/* Bytes as a JSON string, or as bin. */
static struct tk_str feeding(struct caller *c, enum tk_codec codec, struct tk_str bytes)
{
    struct tk_writer w;
    struct tk_out out;

    if (codec == TK_MSGPACK)
        return caller_feed(c, bytes);
    tk_out_init(&out, &c->arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    tk_write_kv_cstr(&w, "stream", "s");
    tk_write_kv_str(&w, "data", bytes);
    tk_write_end(&w);
    return request(c, TK_JSON, "stream.feed", tk_out_join(&out));
}

/* The stream in two pieces. */
static struct life life_of(struct caller *c, enum tk_codec codec, const struct recorded *s)
{
    size_t half = s->bytes.n / 2;

    while (half > 0 && ((uint8_t)s->bytes.p[half] & 0xC0) == 0x80)
        half--;
    return (struct life){{
        caller_request(c, codec, "stream.open", s->open),
        feeding(c, codec, (struct tk_str){s->bytes.p, half}),
        feeding(c, codec, (struct tk_str){s->bytes.p + half, s->bytes.n - half}),
        caller_request(c, codec, "stream.end", s->end),
    }};
}

/* ---- one run ---- */

#define OTHER                                                                                      \
    "{\"stream\":\"other\",\"events\":[{\"type\":\"message_start\",\"message\":{}},{\"type\":"     \
    "\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\",\"text\":\"t\"}}]}"

struct other {
    struct tk_str open, feed, end;
};

static struct other other_of(struct caller *c)
{
    return (struct other){request(c, TK_JSON, "stream.open", TK_STR("{\"stream\":\"other\"}")),
                          request(c, TK_JSON, "stream.feed", TK_STR(OTHER)),
                          request(c, TK_JSON, "stream.end", TK_STR("{\"stream\":\"other\"}"))};
}

static bool goes_well(struct caller *c, struct tk_str request)
{
    bool failed;

    caller_call(c, request, &failed);
    return !failed;
}

/* True for an error that is allowed if memory was short, in this call or an earlier one. */
static bool is_fair(struct tk_val error)
{
    struct tk_val name = tk_get(tk_get(error, TK_STR("data")), TK_STR("name"));

    return !tk_exists(error) || tk_text_is(name, TK_STR("internal")) ||
           tk_text_is(name, TK_STR("stream_not_found"));
}

/* A feed of a stream that is over is refused, memory or not. */
static bool is_refused(struct tk_val error)
{
    return tk_text_is(tk_get(tk_get(error, TK_STR("data")), TK_STR("name")),
                      TK_STR("stream_finished"));
}

/*
 * The life, the fail_at-th allocation failing; memory is back for the next call. *ret_failed: it
 * did. False: an answer that isn't fair.
 */
static bool live(struct caller *c, struct failing *f, const struct life *life, struct record *r,
                 bool *ret_failed)
{
    bool fair = true;

    *ret_failed = false;
    for (size_t i = 0; i < LIFE; i++) {
        bool failed;
        struct tk_val result;

        if (!life->requests[i].p)
            continue;
        result = caller_call(c, life->requests[i], &failed);
        if (f->fail_at > 0 && f->calls >= f->fail_at) {
            f->fail_at = 0;
            *ret_failed = true;
        }
        if (failed) {
            fair = fair && (is_refused(result) || (*ret_failed && is_fair(result)));
            continue;
        }
        record_outputs(r, result);
        record_end(r, result);
    }
    return fair;
}

/* False where something isn't as it should be. *ret_failed: there was such an allocation. */
static bool fail_once(const struct life *life, const struct other *other, struct record *want,
                      size_t fail_at, bool only_that, bool *ret_failed)
{
    struct failing f = {.only_that = only_that};
    struct record got = {NULL, 0, 0};
    struct caller c;
    bool good;

    CU_ASSERT_TRUE_FATAL(caller_init(&c, (tk_allocator){resize, &f}));
    good = goes_well(&c, other->open);
    f.fail_at = fail_at;
    good = live(&c, &f, life, &got, ret_failed) && good;
    f.fail_at = 0;
    if (!*ret_failed && want->p)
        good = good && record_same(want, &got);
    good = good && goes_well(&c, other->feed) && goes_well(&c, other->end);
    good = good && tk_session_streams(c.session) == 0 && tk_session_held(c.session) == 0;
    caller_done(&c);
    if (want->p)
        record_done(&got);
    else
        *want = got;
    return good && f.memory.blocks == 0 && !f.memory.confused;
}

/* All allocations of a life, both ways. Says how many there were. */
static size_t sweep(struct tk_str name, const struct life *life)
{
    struct record want = {NULL, 0, 0};
    struct other other;
    struct caller c;
    bool failed = true;
    size_t fail_at = 0;

    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    other = other_of(&c);
    CU_ASSERT(fail_once(life, &other, &want, 0, true, &failed));
    for (int only_that = 0; only_that < 2; only_that++) {
        bool good = true;

        failed = true;
        for (fail_at = 1; failed && good && fail_at < MOST_CALLS; fail_at++)
            good = fail_once(life, &other, &want, fail_at, only_that, &failed);
        if (!good)
            printf("# %.*s: allocation %zu\n", (int)name.n, name.p, fail_at - 1);
        CU_ASSERT(good && fail_at < MOST_CALLS);
    }
    record_done(&want);
    caller_done(&c);
    return fail_at;
}

/* ---- all of them ---- */

static bool fits(enum tk_codec codec, const struct recorded *s)
{
    return codec == TK_MSGPACK || tk_utf8_valid(s->bytes.p, s->bytes.n) == s->bytes.n;
}

static void test_streams(void)
{
    struct recordings all;
    struct caller c;
    size_t calls = 0;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.stream_count; i++)
        for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
            struct life life;

            if (!fits((enum tk_codec)codec, &all.streams[i]))
                continue;
            life = life_of(&c, (enum tk_codec)codec, &all.streams[i]);
            calls += sweep(all.streams[i].name, &life);
            caller_forget(&c);
        }
    printf("# %zu allocations\n", calls);
    CU_ASSERT(calls > 5000);
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

static void test_pairs(void)
{
    struct recordings all;
    struct caller c;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.response_count; i++)
        for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
            struct life life = {
                {caller_request(&c, (enum tk_codec)codec, "pair", all.responses[i].params)}};

            CU_ASSERT(sweep(all.responses[i].name, &life) > 1);
            caller_forget(&c);
        }
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

/* ---- every piece of memory ---- */

static char *repeated(size_t n, const char *unit, struct tk_arena *arena)
{
    size_t size = strlen(unit);
    char *p = tk_arena_alloc(arena, n * size + 1);

    for (size_t i = 0; i < n; i++)
        memcpy(p + i * size, unit, size);
    p[n * size] = '\0';
    return p;
}

/* A stream with n bytes more in its own memory (an id that is carried in), and in that of each
 * answer (a comment, which is unescaped with the other bytes). */
static struct life padded_life(struct caller *c, const struct recorded *s, size_t n)
{
    struct tk_str emit = tk_text(tk_get(s->open, TK_STR("emit")), &c->arena);
    struct tk_str input = tk_text(tk_get(s->open, TK_STR("provider_input")), &c->arena);
    struct tk_str end = tk_span(s->end), bytes[3];
    char *pad = repeated(n + 1, "x", &c->arena);

    bytes[0] = tk_arena_printf(&c->arena, ":%s\n", pad);
    bytes[1] = s->bytes;
    return (struct life){{
        request(c, TK_JSON, "stream.open",
                tk_arena_printf(&c->arena,
                                "{\"stream\":\"s\",\"emit\":\"%.*s\",\"provider_input\":\"%.*s\","
                                "\"carry_in\":[{\"id\":\"%s\"}]}",
                                emit.p ? (int)emit.n : 5, emit.p ? emit.p : "parts",
                                input.p ? (int)input.n : 5, input.p ? input.p : "whole", pad)),
        feeding(c, TK_JSON, tk_arena_concat(&c->arena, bytes, 2)),
        {NULL, 0},
        request(c, TK_JSON, "stream.end", end),
    }};
}

static void test_every_piece_of_streams(void)
{
    struct recordings all;
    struct caller c;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.stream_count; i += EVERY) {
        if (!fits(TK_JSON, &all.streams[i]) || !all.streams[i].of_blocks)
            continue;
        for (size_t n = 0; n < MOST; n += STEP) {
            struct life life = padded_life(&c, &all.streams[i], n);

            sweep(all.streams[i].name, &life);
            caller_forget(&c);
        }
    }
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

/* The id of the response has to be unescaped. */
static void test_every_piece_of_pairs(void)
{
    static const char format[] =
        "{\"emit\":\"%s\",\"response\":{\"id\":\"%s\",\"content\":[{\"type\":\"text\",\"text\":"
        "\"t\",\"citations\":[]},{\"type\":\"server_tool_use\",\"id\":\"a\",\"name\":\"web_search\","
        "\"input\":{ \"q\": 1}},{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"a\","
        "\"content\":[{\"type\":\"web_search_result\",\"url\":\"u\",\"title\":\"t\"}]},{\"type\":"
        "\"tool_use\",\"id\":\"b\",\"name\":\"f\",\"input\":[]},{\"type\":\"server_tool_use\","
        "\"id\":\"c\",\"name\":\"x\"},{\"type\":\"fallback\"}],\"stop_reason\":\"tool_use\"}}";
    static const char *const forms[] = {"parts", "events", "sse"};
    struct caller c;

    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < 3; i++)
        for (size_t n = 0; n < MOST; n += STEP) {
            char *id = repeated(n, "\\n", &c.arena);
            struct life life = {
                {request(&c, TK_JSON, "pair", tk_arena_printf(&c.arena, format, forms[i], id))}};

            CU_ASSERT(sweep(TK_STR("pair"), &life) > 1);
            caller_forget(&c);
        }
    caller_done(&c);
}

TAP_MAIN("malloc_streams", TAP_TEST(test_streams), TAP_TEST(test_pairs),
         TAP_TEST(test_every_piece_of_streams), TAP_TEST(test_every_piece_of_pairs))
