/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as a stream of server-sent events. In one piece, in the smallest ones, and in pieces
 * of drawn sizes they leave the same outputs and the same end; watched.h has what else must hold.
 *
 * Input: a byte for the parameters, one for the sizes of the pieces, then the stream.
 */
#include "must.h"
#include "watched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* From here on a stream goes in pieces of two bytes, and so on: a fuzzer wants many runs. */
#define LONG 1500

#define CARRY "\"carry_in\":[{\"id\":\"srvtoolu_01\"},{\"id\":\"s1\",\"name\":\"web_search\"}]"

/* By the lowest four bits of the first byte. */
static const char *const opens[16] = {
    "{\"stream\":\"s\"}",
    "{\"stream\":\"s\",\"emit\":\"events\"}",
    "{\"stream\":\"s\",\"emit\":\"sse\"}",
    "{\"stream\":\"s\",\"emit\":\"events\",\"provider_input\":\"deltas\"}",
    "{\"stream\":\"s\",\"emit\":\"sse\",\"provider_input\":\"deltas\"}",
    "{\"stream\":\"s\",\"policy\":{\"unknown_tools\":\"error\"}}",
    "{\"stream\":\"s\",\"max_buffer\":300}",
    "{\"stream\":\"s\",\"emit\":\"sse\",\"max_buffer\":300}",
    "{\"stream\":\"s\"," CARRY "}",
    "{\"stream\":\"s\",\"emit\":\"events\"," CARRY "}",
    "{\"stream\":\"s\",\"emit\":\"sse\"," CARRY "}",
    "{\"stream\":\"s\",\"emit\":\"sse\",\"provider_input\":\"deltas\"," CARRY "}",
    "{\"stream\":\"s\",\"max_buffer\":1}",
    "{\"stream\":\"s\",\"max_buffer\":1000}",
    "{\"stream\":\"s\",\"emit\":\"events\",\"max_buffer\":1000}",
    "{\"stream\":\"s\",\"emit\":\"sse\",\"policy\":{\"unknown_tools\":\"error\"}}",
};

static const char *end_of(uint8_t choice)
{
    return choice & 16 ? "{\"stream\":\"s\",\"transport_error\":\"reset\"}" : NULL;
}

/* ---- requests ---- */

static struct tk_str base64(struct tk_str bytes, struct tk_arena *arena)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = tk_arena_alloc(arena, (bytes.n + 2) / 3 * 4), *at = text;

    MUST(text);
    for (size_t i = 0; i < bytes.n; i += 3) {
        size_t n = bytes.n - i < 3 ? bytes.n - i : 3;
        uint32_t word = 0;

        for (size_t k = 0; k < 3; k++)
            word = word << 8 | (k < n ? (uint8_t)bytes.p[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *at++ = k <= n ? digits[word >> (18 - 6 * k) & 63] : '=';
    }
    return (struct tk_str){text, (size_t)(at - text)};
}

static struct tk_str request(struct caller *c, enum tk_codec codec, struct tk_str bytes)
{
    struct tk_str parts[] = {TK_STR("{\"id\":1,\"method\":\"stream.feed\",\"params\":{\"stream\":"
                                    "\"s\",\"data_base64\":\""),
                             {NULL, 0},
                             TK_STR("\"}}")};

    if (codec == TK_MSGPACK)
        return caller_feed(c, bytes);
    parts[1] = base64(bytes, &c->arena);
    return tk_arena_concat(&c->arena, parts, 3);
}

/* ---- runs ---- */

struct input {
    enum tk_codec codec;
    const char *open, *end;
    struct tk_str bytes;
};

/* Pieces of up to `most` bytes: of just as many where the seed is 0. */
static void run(struct caller *c, const struct input *in, size_t most, uint64_t seed,
                struct watched *w)
{
    size_t n;

    watched_open(w, c, in->codec, in->open);
    for (size_t at = 0; at < in->bytes.n; at += n) {
        n = seed == 0 ? most : 1 + random_below(&seed, (uint32_t)most);
        if (n > in->bytes.n - at)
            n = in->bytes.n - at;
        watched_feed(w, request(c, in->codec, (struct tk_str){in->bytes.p + at, n}), n);
    }
    watched_end(w, in->end);
}

static void compare(struct caller *c, const struct input *in, size_t most, uint64_t seed,
                    const struct watched *whole)
{
    struct watched cut;

    run(c, in, most, seed, &cut);
    MUST(record_same(&cut.record, &whole->record));
    watched_done(&cut);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct watched whole;
    struct memory memory = {0};
    struct caller c;
    struct input in;

    if (size < 2)
        return 0;
    in = (struct input){
        .codec = data[0] & 32 ? TK_MSGPACK : TK_JSON,
        .open = opens[data[0] & 15],
        .end = end_of(data[0]),
        .bytes = {(const char *)data + 2, size - 2},
    };
    MUST(caller_init(&c, memory_allocator(&memory)));
    run(&c, &in, size, 0, &whole);
    compare(&c, &in, 1 + size / LONG, 0, &whole);
    compare(&c, &in, 1 + data[1], 1 + data[1], &whole);
    watched_done(&whole);
    caller_done(&c);
    MUST(memory.blocks == 0 && !memory.confused);
    return 0;
}
