/* SPDX-License-Identifier: Apache-2.0 */
/* Framing: every cut of a stream gives the same requests, and bad lengths hurt nobody. */
#include "net/frame.h"
#include "net/intake.h"

#include <stdlib.h>
#include <string.h>

#include "../tap.h"

#define MAX_FRAME 16

/*
 * What a stream of bytes holds, as text: each request as [payload], "empty" as 0, "too large" as
 * !, and at the end a ~ when something unfinished is left.
 */
struct story {
    char text[4096];
    size_t n;
};

static void tell(struct story *s, const struct tk_frame *frame)
{
    static const char marks[] = {[TK_FRAME_EMPTY] = '0', [TK_FRAME_TOO_LARGE] = '!'};

    CU_ASSERT_FATAL(s->n + frame->size + 3 < sizeof(s->text));
    if (frame->kind == TK_FRAME_REQUEST) {
        s->text[s->n++] = '[';
        memcpy(s->text + s->n, frame->bytes, frame->size);
        s->n += frame->size;
        s->text[s->n++] = ']';
    } else {
        s->text[s->n++] = marks[frame->kind];
    }
}

/* Feeds pieces that end at the cuts (ascending offsets, the last one n). */
static void feed(struct story *s, const char *bytes, size_t n, const size_t *cuts, size_t count)
{
    struct tk_framer f = {0};
    struct tk_frame frame;
    size_t from = 0;

    *s = (struct story){.n = 0};
    for (size_t i = 0; i < count; i++) {
        bool eof = i + 1 == count;

        do {
            /* A block of its own, so that valgrind and ASan see a read past its end. */
            size_t size = cuts[i] - from;
            uint8_t *copy = malloc(size + 1);

            CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
            memcpy(copy, bytes + from, size);
            copy[size] = '\n';
            from += tk_framer_next(&f, copy, size, eof, MAX_FRAME, &frame);
            if (frame.kind != TK_FRAME_MORE)
                tell(s, &frame);
            free(copy);
        } while (frame.kind != TK_FRAME_MORE);
        CU_ASSERT(from <= cuts[i]);
    }
    if (tk_framer_midway(&f) || from < n)
        s->text[s->n++] = '~';
    s->text[s->n] = '\0';
}

/* The same story whole, in every cut, and byte by byte. */
static void check(const char *bytes, size_t n, const char *expected)
{
    size_t every[512];
    struct story s;

    CU_ASSERT_FATAL(n < 512);
    for (size_t cut = 0; cut <= n; cut++) {
        feed(&s, bytes, n, (size_t[]){cut, n}, 2);
        CU_ASSERT_STRING_EQUAL(s.text, expected);
    }
    for (size_t i = 0; i <= n; i++)
        every[i] = i;
    feed(&s, bytes, n, every, n + 1);
    CU_ASSERT_STRING_EQUAL(s.text, expected);
}

#define CHECK(bytes, expected) check(bytes, sizeof(bytes) - 1, expected)

static void test_frames(void)
{
    CHECK("", "");
    CHECK("\0\0\0\1a", "[a]");
    CHECK("\0\0\0\1a\0\0\0\3bcd", "[a][bcd]");
    CHECK("\0\0\0\2a\n\0\0\0\1\0", "[a\n][");
    CHECK("\0\0\0\x10"
          "0123456789abcdef",
          "[0123456789abcdef]");
    CHECK("\0\0\0\3{}x\0\0\0\2{}", "[{}x][{}]");
}

static void test_unfinished_frames(void)
{
    CHECK("\0", "~");
    CHECK("\0\0\0", "~");
    CHECK("\0\0\0\1", "~");
    CHECK("\0\0\0\1a\0", "[a]~");
    CHECK("\0\0\0\5abcd", "~");
}

static void test_length_zero(void)
{
    CHECK("\0\0\0\0", "0");
    CHECK("\0\0\0\0\0\0\0\1a\0\0\0\0", "0[a]0");
}

static void test_too_large_frames(void)
{
    CHECK("\0\0\0\x11"
          "0123456789abcdefg",
          "!");
    CHECK("\0\0\0\x11"
          "0123456789abcdefg\0\0\0\1a",
          "![a]");
    CHECK("\0\0\0\x11"
          "0123",
          "!~");
    CHECK("\xff\xff\xff\xff{}{}{}", "!~");
    CHECK("\x80\0\0\0", "!~");
}

static void test_lines(void)
{
    CHECK("{}\n", "[{}]");
    CHECK("{}\n[1]\n", "[{}][[1]]");
    CHECK("{}\r\n{}\r\n", "[{}][{}]");
    CHECK("{}\n\n\r\n \t \n\r\r\n{}\n", "[{}][{}]");
    CHECK("{\r}\n", "[{\r}]");
    CHECK("{}\n\0\0\0\1a\n", "[{}][");
}

static void test_last_line(void)
{
    CHECK("{}", "[{}]");
    CHECK("{}\r", "[{}]");
    CHECK("{}\n  ", "[{}]");
    CHECK("{}\n{", "[{}][{]");
}

static void test_too_long_lines(void)
{
    CHECK("{123456789abcde}\n{}\n", "[{123456789abcde}][{}]");
    CHECK("{123456789abcde}\r\n{}\n", "[{123456789abcde}][{}]");
    CHECK("{123456789abcdef}\n{}\n", "![{}]");
    CHECK("{123456789abcdef}\r\n{}\n", "![{}]");
    CHECK("{123456789abcde}\r", "[{123456789abcde}]");
    CHECK("{123456789abcde}\r\r\n{}\n", "![{}]");
    CHECK("{123456789abcdefghijklmnopqrstuvwxyz", "!");
    CHECK("{}\n{123456789abcdefghijklmnopqrstuvwxyz}\n{}", "[{}]![{}]");
}

static void test_skip(void)
{
    struct tk_framer f = {0};
    struct tk_frame frame;
    size_t used;

    used = tk_framer_next(&f,
                          (const uint8_t *)"\0\0\0\x8"
                                           "abc",
                          7, false, MAX_FRAME, &frame);
    CU_ASSERT_EQUAL(used, 4);
    CU_ASSERT_EQUAL(frame.kind, TK_FRAME_MORE);
    CU_ASSERT_EQUAL(tk_framer_body(&f), 8);
    tk_framer_skip(&f, 3);
    CU_ASSERT(tk_framer_midway(&f));
    used = tk_framer_next(&f, (const uint8_t *)"defgh\0\0\0\1x", 10, false, MAX_FRAME, &frame);
    CU_ASSERT_EQUAL(used, 10);
    CU_ASSERT_EQUAL(frame.kind, TK_FRAME_REQUEST);
    CU_ASSERT_EQUAL(frame.size, 1);
    CU_ASSERT(!tk_framer_midway(&f));
}

static void test_skip_line(void)
{
    struct tk_framer f = {0};
    struct tk_frame frame;
    size_t used;

    used = tk_framer_next(&f, (const uint8_t *)"{\"a\"", 4, false, MAX_FRAME, &frame);
    CU_ASSERT_EQUAL(used, 0);
    CU_ASSERT(tk_framer_lines(&f) && tk_framer_midway(&f));
    tk_framer_skip(&f, 4);
    used = tk_framer_next(&f, (const uint8_t *)":1}\n{}\n", 7, false, MAX_FRAME, &frame);
    CU_ASSERT_EQUAL(used, 7);
    CU_ASSERT_EQUAL(frame.kind, TK_FRAME_REQUEST);
    CU_ASSERT_EQUAL(frame.size, 2);
}

/* ---- intake: the same over its buffers ---- */

/* As read() would: at most what there is room for. */
static size_t put(struct tk_intake *in, struct tk_scratch *scratch, const char *bytes, size_t n)
{
    struct iovec space = {0};

    CU_ASSERT_EQUAL_FATAL(tk_intake_space(in, scratch, &space), 0);
    CU_ASSERT_FATAL(space.iov_len > 0);
    if (n > space.iov_len)
        n = space.iov_len;
    memcpy(space.iov_base, bytes, n);
    tk_intake_took(in, scratch, n);
    return n;
}

/* A frame of `size` times 'x', with its header. */
static char *make_frame(size_t size)
{
    char *bytes = malloc(size + 4);

    CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
    memset(bytes, 'x', size + 4);
    for (int i = 0; i < 4; i++)
        bytes[i] = (char)(size >> (24 - 8 * i));
    return bytes;
}

static void feed_frame(struct tk_intake *in, struct tk_scratch *scratch, size_t size, size_t piece)
{
    char *bytes = make_frame(size);
    struct tk_frame frame = {.kind = TK_FRAME_MORE};
    size_t at = 0;

    while (at < size + 4) {
        size_t n = size + 4 - at < piece ? size + 4 - at : piece;

        at += put(in, scratch, bytes + at, n);
        frame = tk_intake_next(in, false, 1U << 30);
        /* What is held grows as bytes arrive, and with nothing else. */
        CU_ASSERT(in->own.capacity <= 2 * TK_SCRATCH_SIZE + 2 * at);
        if (at < size + 4)
            CU_ASSERT_EQUAL(frame.kind, TK_FRAME_MORE);
        if (at == size + 4) {
            CU_ASSERT_EQUAL(frame.kind, TK_FRAME_REQUEST);
            CU_ASSERT_EQUAL_FATAL(frame.size, size);
            CU_ASSERT_EQUAL(memcmp(frame.bytes, bytes + 4, size), 0);
        }
        CU_ASSERT_EQUAL(tk_intake_keep(in, scratch), 0);
    }
    CU_ASSERT_EQUAL(in->left, 0);
    CU_ASSERT_PTR_NULL(in->own.bytes);
    free(bytes);
}

static void test_intake_sizes(void)
{
    static const size_t sizes[] = {1, 100, 40000, 65536, 262140, 262141, 300000, 5000000};
    static const size_t pieces[] = {1 << 30, 262144, 100003, 32768, 4097};
    struct tk_scratch scratch = {0};
    struct tk_intake in = {0};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t j = 0; j < sizeof(pieces) / sizeof(pieces[0]); j++)
            feed_frame(&in, &scratch, sizes[i], pieces[j]);
    }
    CU_ASSERT_EQUAL(scratch.lent, 0);
    CU_ASSERT(scratch.buffer.capacity <= TK_SCRATCH_MAX);
    tk_intake_done(&in, &scratch);
    tk_buffer_done(&scratch.buffer);
}

/* Stalled clients can't keep more than their share of the warm buffers. */
static void test_intake_lends_little(void)
{
    enum {
        CLIENTS = 200
    };
    static struct tk_intake in[CLIENTS];
    struct tk_scratch scratch = {0};
    struct tk_frame frame;
    char *bytes = make_frame(1000000);

    for (size_t i = 0; i < CLIENTS; i++) {
        (void)put(&in[i], &scratch, bytes, 40000);
        frame = tk_intake_next(&in[i], false, 1U << 30);
        CU_ASSERT_EQUAL(frame.kind, TK_FRAME_MORE);
        CU_ASSERT_EQUAL(tk_intake_keep(&in[i], &scratch), 0);
        CU_ASSERT(scratch.lent <= TK_SCRATCH_LENT_MAX);
    }
    CU_ASSERT(scratch.lent > 0);
    CU_ASSERT(in[CLIENTS - 1].own.capacity < 50000);
    for (size_t i = 0; i < CLIENTS; i++)
        tk_intake_done(&in[i], &scratch);
    CU_ASSERT_EQUAL(scratch.lent, 0);
    tk_buffer_done(&scratch.buffer);
    free(bytes);
}

/* An answer that refers to its request takes the memory along; what lay behind it stays. */
static void test_intake_detach(void)
{
    struct tk_scratch scratch = {0};
    struct tk_intake in = {0};
    struct tk_buffer taken = {0};
    char *bytes = make_frame(200008);
    struct tk_frame frame;

    memcpy(bytes + 200004, "\0\0\0\2yz\0\0", 8); /* two frames and a bit */
    bytes[3] = (char)(200000 & 0xff);
    (void)put(&in, &scratch, bytes, 200012);
    frame = tk_intake_next(&in, false, 1U << 30);
    CU_ASSERT_EQUAL(frame.size, 200000);
    CU_ASSERT_FATAL(tk_intake_detach(&in, &scratch, frame.size, &taken));
    CU_ASSERT(frame.bytes >= taken.bytes && frame.bytes < taken.bytes + taken.capacity);
    CU_ASSERT_EQUAL(frame.bytes[199999], 'x');
    frame = tk_intake_next(&in, false, 1U << 30);
    CU_ASSERT_EQUAL_FATAL(frame.size, 2);
    CU_ASSERT_EQUAL(memcmp(frame.bytes, "yz", 2), 0);
    tk_buffer_done(&taken);
    CU_ASSERT_EQUAL(tk_intake_next(&in, false, 1U << 30).kind, TK_FRAME_MORE);
    CU_ASSERT(tk_framer_midway(&in.framer));
    tk_intake_done(&in, &scratch);
    tk_buffer_done(&scratch.buffer);
    free(bytes);
}

TAP_MAIN("frame", TAP_TEST(test_frames), TAP_TEST(test_unfinished_frames),
         TAP_TEST(test_length_zero), TAP_TEST(test_too_large_frames), TAP_TEST(test_lines),
         TAP_TEST(test_last_line), TAP_TEST(test_too_long_lines), TAP_TEST(test_skip),
         TAP_TEST(test_skip_line), TAP_TEST(test_intake_sizes), TAP_TEST(test_intake_lends_little),
         TAP_TEST(test_intake_detach))
