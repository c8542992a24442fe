/* SPDX-License-Identifier: Apache-2.0 */
/* Framing: every cut of a stream gives the same requests, and bad lengths hurt nobody. */
#include "net/frame.h"

#include <stdlib.h>
#include <string.h>

#include "../tap.h"

#define MAX_FRAME 16

/*
 * The content of a stream of bytes, as text: each request as [payload], "empty" as 0, "too large"
 * as !, and at the end a ~ when something unfinished is left.
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

/* Checks that the bytes give this story whole, cut in two at every byte, and byte by byte. */
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
    CU_ASSERT(tk_framer_framing(&f) == &tk_framing_line && tk_framer_midway(&f));
    tk_framer_skip(&f, 4);
    used = tk_framer_next(&f, (const uint8_t *)":1}\n{}\n", 7, false, MAX_FRAME, &frame);
    CU_ASSERT_EQUAL(used, 7);
    CU_ASSERT_EQUAL(frame.kind, TK_FRAME_REQUEST);
    CU_ASSERT_EQUAL(frame.size, 2);
}

TAP_MAIN("frame", TAP_TEST(test_frames), TAP_TEST(test_unfinished_frames),
         TAP_TEST(test_length_zero), TAP_TEST(test_too_large_frames), TAP_TEST(test_lines),
         TAP_TEST(test_last_line), TAP_TEST(test_too_long_lines), TAP_TEST(test_skip),
         TAP_TEST(test_skip_line))
