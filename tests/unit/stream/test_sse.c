/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes to frames: what a text holds, and that no cut of it changes that. */
#include "../memory.h"
#include "../tap.h"
#include "stream/wire/sse.h"

#include <stdlib.h>

/* Frames as text, "name|data\n" each, name "-" where there is none; a cut one in brackets. */
static const struct {
    struct tk_str bytes;
    const char *frames;
} texts[] = {
    {TK_STR_INIT(""), ""},
    {TK_STR_INIT("data: a\n\n"), "-|a\n"},
    {TK_STR_INIT("event: e\ndata: a\n\ndata: b\n\n"), "e|a\n-|b\n"},
    {TK_STR_INIT("data:a\r\n\r\ndata:b\r\rdata:c\n\n"), "-|a\n-|b\n-|c\n"},
    {TK_STR_INIT("data: a\r\n\ndata: b\n\r\n"), "-|a\n-|b\n"},
    {TK_STR_INIT("data:  a\n\n"), "-| a\n"},
    {TK_STR_INIT("data\ndata: b\n\n"), "-|\nb\n"},
    {TK_STR_INIT("data: a\ndata: b\ndata:\n\n"), "-|a\nb\n\n"},
    {TK_STR_INIT("event: one\nevent: two\ndata: a\n\n"), "two|a\n"},
    {TK_STR_INIT("event: one\nevent\ndata: a\n\n"), "|a\n"},
    {TK_STR_INIT(": comment\nid: 3\nretry: 5\nDATA: x\n data: y\ndata : z\ndata: a\n\n"), "-|a\n"},
    {TK_STR_INIT("event: lost\n\ndata: a\n\n"), "-|a\n"},
    {TK_STR_INIT("data: \t \r\n\r\ndata:\n\ndata: a\n\n"), "-|a\n"},
    {TK_STR_INIT("\xEF\xBB\xBF"
                 "data: a\n\n"),
     "-|a\n"},
    {TK_STR_INIT("\xEF\xBB\xBF\xEF\xBB\xBF"
                 "data: a\n\ndata: b\n\n"),
     "-|b\n"},
    {TK_STR_INIT("\n\xEF\xBB\xBF"
                 "data: a\n\ndata: b\n\n"),
     "-|b\n"},
    {TK_STR_INIT("\xEF\xBB\ndata: a\n\n"), "-|a\n"},
    {TK_STR_INIT("\xEF\xBB\xBF\ndata: a\n\n"), "-|a\n"},
    {TK_STR_INIT("data: a\n\ndata: b"), "-|a\n[-|b]\n"},
    {TK_STR_INIT("data: a\n\ndata: b\n"), "-|a\n[-|b]\n"},
    {TK_STR_INIT("data: b\r"), "[-|b]\n"},
    {TK_STR_INIT("data: b\n\r"), "-|b\n"},
    {TK_STR_INIT("event: e\ndata: b\nda"), "[e|b]\n"},
    {TK_STR_INIT("event: e"), ""},
    {TK_STR_INIT("event: e\nda"), ""},
    {TK_STR_INIT("data: x\0y\n\n"), "-|x\0y\n"},
    {TK_STR_INIT("\r\r\r\r"), ""},
};

#define TEXTS (sizeof(texts) / sizeof(texts[0]))

struct frames {
    char text[400];
    size_t n;
};

static void put(struct frames *f, struct tk_str s)
{
    if (f->n + s.n > sizeof(f->text))
        abort();
    if (s.n > 0)
        memcpy(f->text + f->n, s.p, s.n);
    f->n += s.n;
}

static void put_frame(struct frames *f, const struct tk_wire_frame *frame)
{
    put(f, frame->cut ? TK_STR("[") : TK_STR(""));
    put(f, frame->name.p ? frame->name : TK_STR("-"));
    put(f, TK_STR("|"));
    put(f, frame->data);
    put(f, frame->cut ? TK_STR("]\n") : TK_STR("\n"));
}

/* Each piece in a block of its own that is gone with the next one. */
static int feed(struct tk_sse *sse, struct tk_str piece, struct frames *f)
{
    char *copy = malloc(piece.n + 1);
    struct tk_wire_frame frame;
    int r;

    memcpy(copy, piece.p, piece.n);
    tk_sse_feed(sse, (struct tk_str){copy, piece.n});
    while ((r = tk_sse_next(sse, &frame)) > 0)
        put_frame(f, &frame);
    free(copy);
    return r;
}

static int finish(struct tk_sse *sse, struct frames *f)
{
    struct tk_wire_frame frame;
    int r = tk_sse_last(sse, &frame);

    if (r > 0)
        put_frame(f, &frame);
    return r < 0 ? r : 0;
}

/* Pieces of `size` bytes, the first one of `first`. Returns the frames; r: of the last call. */
static struct frames frames_of(struct tk_str bytes, size_t first, size_t size,
                               struct memory *memory, int *ret)
{
    struct tk_memory counted = {memory_allocator(memory), 0};
    struct frames f = {.n = 0};
    struct tk_sse sse;
    size_t at = first < bytes.n ? first : bytes.n;

    tk_sse_init(&sse, &counted);
    *ret = feed(&sse, (struct tk_str){bytes.p, at}, &f);
    for (; *ret == 0 && at < bytes.n; at += size)
        *ret = feed(&sse, (struct tk_str){bytes.p + at, bytes.n - at < size ? bytes.n - at : size},
                    &f);
    if (*ret == 0)
        *ret = finish(&sse, &f);
    tk_sse_done(&sse);
    CU_ASSERT_EQUAL(counted.held, 0);
    return f;
}

static bool is_right(size_t i, size_t first, size_t size)
{
    /* One of the expectations holds a NUL. */
    struct tk_str want =
        strchr(texts[i].frames, 'x') && texts[i].bytes.p[6] == 'x' && texts[i].bytes.p[7] == '\0'
            ? TK_STR("-|x\0y\n")
            : tk_str_of(texts[i].frames);
    struct memory memory = {0};
    int r;
    struct frames f = frames_of(texts[i].bytes, first, size, &memory, &r);

    CU_ASSERT_EQUAL(r, 0);
    CU_ASSERT(memory.blocks == 0 && !memory.confused);
    return tk_str_eq((struct tk_str){f.text, f.n}, want);
}

static void test_whole(void)
{
    for (size_t i = 0; i < TEXTS; i++)
        if (!is_right(i, texts[i].bytes.n, 1)) {
            printf("# text %zu\n", i);
            CU_FAIL("frames differ");
        }
}

/* False at the first cut that makes a difference. */
static bool cuts_are_right(size_t i)
{
    for (size_t first = 0; first <= texts[i].bytes.n; first++)
        for (size_t size = 1; size <= texts[i].bytes.n; size++)
            if (!is_right(i, first, size)) {
                printf("# text %zu, first %zu, then %zu\n", i, first, size);
                return false;
            }
    return true;
}

static void test_every_cut(void)
{
    for (size_t i = 0; i < TEXTS; i++)
        CU_ASSERT(cuts_are_right(i));
}

/* A byte follows that isn't fed: a CR before it has ended its line. */
static void test_release(void)
{
    struct memory memory = {0};
    struct tk_memory counted = {memory_allocator(&memory), 0};
    struct tk_wire_frame frame;
    struct tk_sse sse;

    tk_sse_init(&sse, &counted);
    tk_sse_feed(&sse, TK_STR("data: a\r\r"));
    CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 0);
    CU_ASSERT_EQUAL(tk_sse_release(&sse, &frame), 1);
    CU_ASSERT(tk_str_is(frame.data, "a"));
    tk_sse_feed(&sse, TK_STR("data: b"));
    CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 0);
    CU_ASSERT_EQUAL(tk_sse_release(&sse, &frame), 0);
    tk_sse_done(&sse);
}

/* A line that is whole in a chunk isn't copied; a long one over several chunks is copied once. */
static void test_memory(void)
{
    enum {
        LINE = 1 << 20,
        PIECE = 1000
    };
    struct memory memory = {0};
    struct tk_memory counted = {memory_allocator(&memory), 0};
    char *line = malloc(LINE);
    struct tk_wire_frame frame;
    struct tk_sse sse;

    tk_sse_init(&sse, &counted);
    tk_sse_feed(&sse, TK_STR("event: e\ndata: abc\n\n"));
    CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 1);
    CU_ASSERT(frame.in_chunk && memory.calls == 0);
    CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 0);
    memset(line, 'x', LINE);
    memcpy(line, "data: ", 6);
    for (size_t at = 0; at < LINE; at += PIECE) {
        tk_sse_feed(&sse, (struct tk_str){line + at, LINE - at < PIECE ? LINE - at : PIECE});
        CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 0);
    }
    CU_ASSERT(counted.held <= 2 * LINE);
    tk_sse_feed(&sse, TK_STR("\n\n"));
    CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 1);
    CU_ASSERT(frame.data.n == LINE - 6 && memory.peak <= 3 * LINE);
    CU_ASSERT_EQUAL(tk_sse_next(&sse, &frame), 0);
    CU_ASSERT(counted.held <= 8192);
    tk_sse_done(&sse);
    CU_ASSERT_EQUAL(memory.blocks, 0);
    free(line);
}

static void test_no_memory(void)
{
    for (size_t i = 0; i < TEXTS; i++)
        for (size_t fail_at = 1, failed = 1; failed; fail_at++) {
            struct memory memory = {.fail_at = fail_at};
            int r;

            (void)frames_of(texts[i].bytes, 1, 1, &memory, &r);
            failed = r != 0;
            CU_ASSERT(memory.blocks == 0 && !memory.confused);
        }
}

TAP_MAIN("sse", TAP_TEST(test_whole), TAP_TEST(test_every_cut), TAP_TEST(test_release),
         TAP_TEST(test_memory), TAP_TEST(test_no_memory))
