/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Readers of the framings that aren't server-sent events: frames cut at every byte and into single
 * bytes are the same frames, and bytes that are no frames are told as such.
 */
#include "../memory.h"
#include "../tap.h"
#include "stream/wire/crc32.h"
#include "stream/wire/reader.h"
#include "value/arena.h"
#include "value/base64.h"

#include <stdio.h>
#include <stdlib.h>

struct fixture {
    struct memory memory;
    struct tk_memory counted;
    struct tk_arena arena;
    struct tk_wire_reader reader;
    char log[4096]; /* what was read, a line a frame */
    size_t n;
};

static void begin(struct fixture *f, enum tk_wire wire)
{
    *f = (struct fixture){.memory = {0}};
    f->counted.inner = memory_allocator(&f->memory);
    tk_arena_init(&f->arena, memory_allocator(&f->memory));
    tk_wire_init(&f->reader, wire, &f->counted);
}

static void end(struct fixture *f)
{
    tk_wire_done(&f->reader);
    tk_arena_done(&f->arena);
    CU_ASSERT_EQUAL(f->counted.held, 0);
    CU_ASSERT(f->memory.blocks == 0 && !f->memory.confused);
}

/* Feeds bytes, a copy that is gone afterwards, and notes what they bring. Returns false if they are
 * broken. */
static bool feed(struct fixture *f, struct tk_str bytes)
{
    char *copy = malloc(bytes.n + 1);
    struct tk_wire_frame frame;
    int r;

    CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
    memcpy(copy, bytes.p, bytes.n);
    tk_wire_feed(&f->reader, (struct tk_str){copy, bytes.n});
    while ((r = tk_wire_next(&f->reader, &frame)) == TK_WIRE_FRAME)
        f->n += (size_t)snprintf(f->log + f->n, sizeof(f->log) - f->n, "%d %.*s %.*s\n", frame.kind,
                                 (int)frame.name.n, frame.name.p ? frame.name.p : "",
                                 (int)frame.data.n, frame.data.p);
    if (r == TK_WIRE_BROKEN)
        f->n += (size_t)snprintf(f->log + f->n, sizeof(f->log) - f->n, "broken: %s\n",
                                 tk_wire_broken(&f->reader));
    CU_ASSERT(r == 0 || r == TK_WIRE_BROKEN);
    free(copy);
    return r == 0;
}

/* Reads bytes in pieces: the first has `first` bytes, the others `size`. Returns what was read. */
static struct fixture read_in(enum tk_wire wire, struct tk_str bytes, size_t first, size_t size)
{
    struct fixture f;
    bool good;

    begin(&f, wire);
    good = feed(&f, (struct tk_str){bytes.p, first});
    for (size_t at = first; at < bytes.n && good; at += size)
        good = feed(&f, (struct tk_str){bytes.p + at, bytes.n - at < size ? bytes.n - at : size});
    end(&f);
    return f;
}

static void expect(enum tk_wire wire, struct tk_str bytes, const char *want)
{
    for (size_t cut = 0; cut <= bytes.n; cut++) {
        struct fixture f = read_in(wire, bytes, cut, bytes.n);

        CU_ASSERT_STRING_EQUAL(f.log, want);
        if (strcmp(f.log, want) != 0) {
            printf("# cut at %zu: %s\n", cut, f.log);
            return;
        }
    }
    CU_ASSERT_STRING_EQUAL(read_in(wire, bytes, 0, 1).log, want);
}

/* ---- eventstream ---- */

static struct tk_str frame(struct tk_arena *arena, enum tk_wire_frame_kind kind, const char *name,
                           const char *payload)
{
    return tk_eventstream_write(kind, tk_str_of(name), tk_str_of(payload), arena);
}

static void test_frames(void)
{
    struct tk_arena arena;
    struct tk_str frames[6], bytes;

    tk_arena_init(&arena, tk_libc_allocator);
    frames[0] = frame(&arena, TK_FRAME_EVENT, "initial-response", "{}");
    frames[1] = frame(&arena, TK_FRAME_EVENT, "messageStart", "{\"role\":\"assistant\"}");
    frames[2] = frame(&arena, TK_FRAME_EVENT, "empty", "");
    frames[3] = frame(&arena, TK_FRAME_EXCEPTION, "throttlingException", "{}");
    frames[4] = frame(&arena, TK_FRAME_ERROR, "InternalError", "why");
    frames[5] = TK_STR("\0\0\0");
    bytes = tk_arena_concat(&arena, frames, 6);
    expect(TK_WIRE_EVENTSTREAM, bytes,
           "0 messageStart {\"role\":\"assistant\"}\n0 empty \n1 throttlingException {}\n"
           "2 InternalError why\n");
    tk_arena_done(&arena);
}

/* A frame whose headers have all types of values, and one without a type of message. */
static void test_headers(void)
{
    static const char headers[] = "\1a\0\1b\1\1c\2x\1d\3xy\1e\4wxyz\1f\5abcdefgh\1g\6\0\2hi"
                                  "\1h\10abcdefgh\1i\11abcdefghijklmnop"
                                  "\15:message-type\7\0\5event\13:event-type\7\0\3own";
    char bytes[512];

    for (int i = 0; i < 2; i++) {
        size_t n = i == 0 ? sizeof(headers) - 1 : 5, total = 16 + n;
        uint32_t numbers[] = {(uint32_t)total, (uint32_t)n, 0};

        memset(bytes, 0, sizeof(bytes));
        for (int k = 0; k < 8; k++)
            bytes[k] = (char)(numbers[k / 4] >> (24 - 8 * (k % 4)));
        numbers[2] = tk_crc32((struct tk_str){bytes, 8});
        for (int k = 8; k < 12; k++)
            bytes[k] = (char)(numbers[2] >> (24 - 8 * (k % 4)));
        memcpy(bytes + 12, headers, n);
        numbers[0] = tk_crc32((struct tk_str){bytes, total - 4});
        for (size_t k = 0; k < 4; k++)
            bytes[total - 4 + k] = (char)(numbers[0] >> (24 - 8 * k));
        expect(TK_WIRE_EVENTSTREAM, (struct tk_str){bytes, total},
               i == 0 ? "0 own \n" : "broken: undecodable frame: headers\n");
    }
}

/* The first bytes of a frame with these lengths and a good checksum. */
static struct tk_str prelude(uint32_t total, uint32_t headers, char *to)
{
    uint32_t numbers[] = {total, headers, 0};

    for (int k = 0; k < 12; k++) {
        if (k == 8)
            numbers[2] = tk_crc32((struct tk_str){to, 8});
        to[k] = (char)(numbers[k / 4] >> (24 - 8 * (k % 4)));
    }
    return (struct tk_str){to, 12};
}

static void test_limits(void)
{
    const uint32_t headers = TK_EVENTSTREAM_HEADERS, payload = TK_EVENTSTREAM_PAYLOAD;
    const char *want = "broken: undecodable frame: frame length\n";
    char to[12];

    expect(TK_WIRE_EVENTSTREAM, prelude(16 + headers + payload, headers, to), "");
    expect(TK_WIRE_EVENTSTREAM, prelude(16 + headers + payload + 1, headers, to), want);
    expect(TK_WIRE_EVENTSTREAM, prelude(17 + headers, headers + 1, to), want);
    expect(TK_WIRE_EVENTSTREAM, prelude(15, 0, to), want);
    expect(TK_WIRE_EVENTSTREAM, prelude(16, 1, to), want);
}

static void test_checksums(void)
{
    struct tk_arena arena;
    struct tk_str good;
    char bytes[256];

    tk_arena_init(&arena, tk_libc_allocator);
    good = frame(&arena, TK_FRAME_EVENT, "metadata", "{}");
    for (size_t i = 0; i < good.n; i++) {
        memcpy(bytes, good.p, good.n);
        bytes[i] ^= 1;
        expect(TK_WIRE_EVENTSTREAM, (struct tk_str){bytes, good.n},
               i < 12 ? "broken: undecodable frame: prelude checksum\n"
                      : "broken: undecodable frame: frame checksum\n");
    }
    tk_arena_done(&arena);
}

/* ---- arrays ---- */

static const char no_array[] = "broken: undecodable frame: no JSON array of objects\n";

static void test_arrays(void)
{
    expect(TK_WIRE_JSON, TK_STR(" [ {\"a\":[1,{}]} ,\r\n{\"b\":\"}]\\\"\"}\n]\n"),
           "0  {\"a\":[1,{}]}\n0  {\"b\":\"}]\\\"\"}\n3  ]\n");
    expect(TK_WIRE_JSON, TK_STR("[]"), "3  ]\n");
    expect(TK_WIRE_JSON, TK_STR("{\"error\":{}}\n"), "0  {\"error\":{}}\n");
    expect(TK_WIRE_JSON, TK_STR("[{\"a\":1},{\"b\""), "0  {\"a\":1}\n");
}

static void test_no_arrays(void)
{
    expect(TK_WIRE_JSON, TK_STR("1"), no_array);
    expect(TK_WIRE_JSON, TK_STR("[1]"), no_array);
    expect(TK_WIRE_JSON, TK_STR("]"), no_array);
    expect(TK_WIRE_JSON, TK_STR("[{}{}]"),
           "0  {}\nbroken: undecodable frame: no JSON array of objects\n");
    expect(TK_WIRE_JSON, TK_STR("[{},]"),
           "0  {}\nbroken: undecodable frame: no JSON array of objects\n");
    expect(TK_WIRE_JSON, TK_STR("{},"),
           "0  {}\nbroken: undecodable frame: no JSON array of objects\n");
    expect(TK_WIRE_JSON, TK_STR("[]]"),
           "3  ]\nbroken: undecodable frame: no JSON array of objects\n");
}

/* ---- base64, in which frames leave ---- */

static void test_base64(void)
{
    static const char *const texts[][2] = {
        {"", ""},        {"f", "Zg=="},        {"fo", "Zm8="},
        {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"\xff\xfe", "//4="}};
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        struct tk_str base64 = tk_base64_encode(tk_str_of(texts[i][0]), &arena), back;

        CU_ASSERT_TRUE(tk_str_is(base64, texts[i][1]));
        CU_ASSERT_EQUAL_FATAL(tk_base64_decode(base64, &arena, &back), 0);
        CU_ASSERT_TRUE(tk_str_is(back, texts[i][0]));
    }
    CU_ASSERT_EQUAL(tk_crc32(TK_STR("123456789")), 0xCBF43926);
    tk_arena_done(&arena);
}

TAP_MAIN("stream_wires", TAP_TEST(test_frames), TAP_TEST(test_headers), TAP_TEST(test_limits),
         TAP_TEST(test_checksums), TAP_TEST(test_arrays), TAP_TEST(test_no_arrays),
         TAP_TEST(test_base64))
