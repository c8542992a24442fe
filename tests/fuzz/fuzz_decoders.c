/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a stream of each provider with a decoder, and of Anthropic's events in an eventstream. In
 * one piece, in the smallest ones, and in pieces of drawn sizes they leave the same outputs and the same
 * end. The stream holds no more than a small multiple of what it was fed, has one error or none, and its
 * turn is complete only if it is done with nothing held.
 *
 * Input: a byte for the parameters, one for the sizes of the pieces, then the stream. Frames of an
 * eventstream are lines, "TYPE PAYLOAD"; a line without a blank is bytes as they are.
 */
#include "../unit/calls.h"
#include "../unit/memory.h"
#include "../unit/recording.h"
#include "methods/core/host.h"
#include "must.h"
#include "stream/wire/eventstream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* From here on a stream goes in pieces of two bytes, and so on: a fuzzer wants many runs. */
#define LONG 1500

/* The most that a stream may hold apart from a constant, for each byte that it was fed. */
#define HELD_CONSTANT ((size_t)32768)
#define HELD_PER_BYTE ((size_t)64)

/* By the lowest four bits of the first byte. */
static const struct {
    const char *params;
    bool framed;
} opens[16] = {
    {"{\"stream\":\"s\",\"provider\":\"openai-chat\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"openai-chat\",\"emit\":\"wire\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"openai-chat\",\"emit\":\"events\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"openai-responses\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"openai-responses\",\"emit\":\"wire\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"openai-responses\",\"emit\":\"events\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"openai-responses\",\"starting_after\":2}", false},
    {"{\"stream\":\"s\",\"provider\":\"gemini\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"gemini\",\"emit\":\"sse\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"gemini\",\"wire\":\"json\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"gemini\",\"wire\":\"json\",\"emit\":\"wire\"}", false},
    {"{\"stream\":\"s\",\"provider\":\"bedrock\"}", true},
    {"{\"stream\":\"s\",\"provider\":\"bedrock\",\"emit\":\"wire\"}", true},
    {"{\"stream\":\"s\",\"provider\":\"bedrock\",\"emit\":\"events\",\"max_buffer\":600}", true},
    {"{\"stream\":\"s\",\"wire\":\"eventstream\"}", true},
    {"{\"stream\":\"s\",\"wire\":\"eventstream\",\"emit\":\"sse\"}", true},
};

struct input {
    struct reading open, end; /* parameters */
    struct tk_str bytes;
    struct tk_arena arena; /* of frames */
};

/* Appends a line as a frame. */
static void frame_line(struct tk_out *out, struct tk_str line, struct tk_arena *arena)
{
    const char *blank = line.n ? memchr(line.p, ' ', line.n) : NULL;
    struct tk_str name = {line.p, blank ? (size_t)(blank - line.p) : 0}, frame = line;

    if (blank && name.n > 0 && name.n <= TK_EVENTSTREAM_NAME)
        frame = tk_eventstream_write(tk_str_ends(name, TK_STR("Exception")) ? TK_FRAME_EXCEPTION
                                                                            : TK_FRAME_EVENT,
                                     name, (struct tk_str){blank + 1, line.n - name.n - 1}, arena);
    MUST(frame.p || line.n == 0);
    tk_out_put(out, frame.p, frame.n);
}

static struct tk_str framed(struct tk_str lines, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    while (lines.n > 0) {
        const char *end = memchr(lines.p, '\n', lines.n);
        size_t n = end ? (size_t)(end - lines.p) : lines.n;

        frame_line(&out, (struct tk_str){lines.p, n}, arena);
        n += end != NULL;
        lines = (struct tk_str){lines.p + n, lines.n - n};
    }
    return tk_out_join(&out);
}

/* ---- runs ---- */

static struct tk_val call(struct caller *c, struct tk_str request)
{
    bool failed;
    struct tk_val result = caller_call(c, request, &failed);

    MUST(!failed);
    return result;
}

static bool is_open(struct tk_val result)
{
    return tk_text_is(tk_get(result, TK_STR("state")), TK_STR("open"));
}

static void check_end(struct tk_val result)
{
    bool done = tk_text_is(tk_get(result, TK_STR("state")), TK_STR("done"));
    struct tk_val turn = tk_get(result, TK_STR("turn"));

    MUST(tk_is(tk_get(result, TK_STR("finish")), TK_NULL) == !done);
    MUST(tk_is(tk_get(result, TK_STR("error")), TK_NULL) == done);
    if (!tk_exists(turn))
        return;
    MUST(tk_is(tk_get(turn, TK_STR("entries")), TK_ARRAY));
    if (tk_is(tk_get(turn, TK_STR("complete")), TK_TRUE))
        MUST(done && !tk_exists(tk_first(tk_get(turn, TK_STR("held")))));
}

/* Feeds pieces of up to `most` bytes: of just as many where the seed is 0. */
static void run(struct caller *c, const struct input *in, size_t most, uint64_t seed,
                struct record *ret)
{
    struct tk_val result =
        call(c, caller_request(c, TK_MSGPACK, "stream.open", tk_root(&in->open.doc)));
    size_t n, at = 0;

    *ret = (struct record){NULL, 0, 0};
    while (is_open(result) && at < in->bytes.n) {
        caller_forget(c);
        n = seed == 0 ? most : 1 + random_below(&seed, (uint32_t)most);
        if (n > in->bytes.n - at)
            n = in->bytes.n - at;
        result = call(c, caller_feed(c, (struct tk_str){in->bytes.p + at, n}));
        at += n;
        record_outputs(ret, result);
        MUST(tk_session_held(c->session) <= HELD_CONSTANT + HELD_PER_BYTE * at);
    }
    caller_forget(c);
    result = call(c, caller_request(c, TK_MSGPACK, "stream.end", tk_root(&in->end.doc)));
    record_outputs(ret, result);
    record_end(ret, result);
    check_end(result);
    MUST(tk_session_held(c->session) == 0 && tk_session_streams(c->session) == 0);
    caller_forget(c);
}

static void compare(struct caller *c, const struct input *in, size_t most, uint64_t seed,
                    const struct record *whole)
{
    struct record cut;

    run(c, in, most, seed, &cut);
    MUST(record_same(&cut, whole));
    record_done(&cut);
}

static void init(struct input *in, const uint8_t *data, size_t size)
{
    const char *end =
        data[0] & 16 ? "{\"stream\":\"s\",\"transport_error\":\"reset\"}" : "{\"stream\":\"s\"}";

    reading_init(&in->open);
    reading_init(&in->end);
    tk_arena_init(&in->arena, tk_libc_allocator);
    MUST(reading_json(&in->open, tk_str_of(opens[data[0] & 15].params)) == 0);
    MUST(reading_json(&in->end, tk_str_of(end)) == 0);
    in->bytes = (struct tk_str){(const char *)data + 2, size - 2};
    if (opens[data[0] & 15].framed)
        in->bytes = framed(in->bytes, &in->arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct memory memory = {0};
    struct record whole;
    struct input in;
    struct caller c;

    if (size < 2)
        return 0;
    init(&in, data, size);
    MUST(caller_init(&c, memory_allocator(&memory)));
    run(&c, &in, in.bytes.n + 1, 0, &whole);
    compare(&c, &in, 1 + in.bytes.n / LONG, 0, &whole);
    compare(&c, &in, 1 + data[1], 1 + data[1], &whole);
    record_done(&whole);
    caller_done(&c);
    MUST(memory.blocks == 0 && !memory.confused);
    tk_arena_done(&in.arena);
    MUST(reading_done(&in.open));
    MUST(reading_done(&in.end));
    return 0;
}
