/* SPDX-License-Identifier: Apache-2.0 */
/* Received bytes: frames of every size in pieces of every size, and who holds which memory. */
#include "net/read_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "../tap.h"

/* As read() would: at most what there is room for. */
static size_t put(struct tk_read_buffer *in, struct tk_scratch *scratch, const char *bytes,
                  size_t n)
{
    struct iovec space = {0};

    CU_ASSERT_EQUAL_FATAL(tk_read_buffer_space(in, scratch, &space), 0);
    CU_ASSERT_FATAL(space.iov_len > 0);
    if (n > space.iov_len)
        n = space.iov_len;
    memcpy(space.iov_base, bytes, n);
    tk_read_buffer_added(in, scratch, n);
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

static void feed_frame(struct tk_read_buffer *in, struct tk_scratch *scratch, size_t size,
                       size_t piece)
{
    char *bytes = make_frame(size);
    struct tk_frame frame = {.kind = TK_FRAME_MORE};
    size_t at = 0;

    while (at < size + 4) {
        size_t n = size + 4 - at < piece ? size + 4 - at : piece;

        at += put(in, scratch, bytes + at, n);
        frame = tk_read_buffer_next(in, false, 1U << 30);
        /* The memory held grows as bytes arrive, and with nothing else. */
        CU_ASSERT(in->own.capacity <= 2 * TK_SCRATCH_SIZE + 2 * at);
        if (at < size + 4)
            CU_ASSERT_EQUAL(frame.kind, TK_FRAME_MORE);
        if (at == size + 4) {
            CU_ASSERT_EQUAL(frame.kind, TK_FRAME_REQUEST);
            CU_ASSERT_EQUAL_FATAL(frame.size, size);
            CU_ASSERT_EQUAL(memcmp(frame.bytes, bytes + 4, size), 0);
        }
        tk_read_buffer_keep(in, scratch);
    }
    CU_ASSERT_EQUAL(in->left, 0);
    CU_ASSERT_PTR_NULL(in->own.bytes);
    free(bytes);
}

static void test_sizes(void)
{
    static const size_t sizes[] = {1, 100, 40000, 65536, 262140, 262141, 300000, 5000000};
    static const size_t pieces[] = {1 << 30, 262144, 100003, 32768, 4097};
    struct tk_scratch scratch = {0};
    struct tk_read_buffer in = {0};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        for (size_t j = 0; j < sizeof(pieces) / sizeof(pieces[0]); j++)
            feed_frame(&in, &scratch, sizes[i], pieces[j]);
    }
    CU_ASSERT_EQUAL(scratch.lent, 0);
    CU_ASSERT(scratch.buffer.capacity <= TK_SCRATCH_MAX);
    tk_read_buffer_done(&in, &scratch);
    tk_buffer_done(&scratch.buffer);
}

/* Stalled clients can't keep more than their share of the warm buffers. */
static void test_lends_little(void)
{
    enum {
        CLIENTS = 200
    };
    static struct tk_read_buffer in[CLIENTS];
    struct tk_scratch scratch = {0};
    struct tk_frame frame;
    char *bytes = make_frame(1000000);

    for (size_t i = 0; i < CLIENTS; i++) {
        (void)put(&in[i], &scratch, bytes, 40000);
        frame = tk_read_buffer_next(&in[i], false, 1U << 30);
        CU_ASSERT_EQUAL(frame.kind, TK_FRAME_MORE);
        tk_read_buffer_keep(&in[i], &scratch);
        CU_ASSERT(scratch.lent <= TK_SCRATCH_LENT_MAX);
    }
    CU_ASSERT(scratch.lent > 0);
    CU_ASSERT(in[CLIENTS - 1].own.capacity < 50000);
    for (size_t i = 0; i < CLIENTS; i++)
        tk_read_buffer_done(&in[i], &scratch);
    CU_ASSERT_EQUAL(scratch.lent, 0);
    tk_buffer_done(&scratch.buffer);
    free(bytes);
}

/* An answer that refers to its request takes the memory; the bytes after it stay. */
static void test_detach(void)
{
    struct tk_scratch scratch = {0};
    struct tk_read_buffer in = {0};
    struct tk_buffer taken = {0};
    char *bytes = make_frame(200008);
    struct tk_frame frame;

    memcpy(bytes + 200004, "\0\0\0\2yz\0\0", 8); /* two frames and a bit */
    bytes[3] = (char)(200000 & 0xff);
    (void)put(&in, &scratch, bytes, 200012);
    frame = tk_read_buffer_next(&in, false, 1U << 30);
    CU_ASSERT_EQUAL(frame.size, 200000);
    CU_ASSERT_FATAL(tk_read_buffer_detach(&in, &scratch, frame.size, &taken));
    CU_ASSERT(frame.bytes >= taken.bytes && frame.bytes < taken.bytes + taken.capacity);
    CU_ASSERT_EQUAL(frame.bytes[199999], 'x');
    frame = tk_read_buffer_next(&in, false, 1U << 30);
    CU_ASSERT_EQUAL_FATAL(frame.size, 2);
    CU_ASSERT_EQUAL(memcmp(frame.bytes, "yz", 2), 0);
    tk_buffer_done(&taken);
    CU_ASSERT_EQUAL(tk_read_buffer_next(&in, false, 1U << 30).kind, TK_FRAME_MORE);
    CU_ASSERT(tk_framer_midway(&in.framer));
    tk_read_buffer_done(&in, &scratch);
    tk_buffer_done(&scratch.buffer);
    free(bytes);
}

/* The size is told once the request is complete, above the limit only, and nothing is consumed. */
static void test_ahead(void)
{
    static const size_t sizes[] = {1, 999, 1000, 1001, 5000, 600000};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct tk_scratch scratch = {0};
        struct tk_read_buffer in = {.left = 0};
        char *bytes = make_frame(sizes[i]);
        size_t n = sizes[i] + 4, at = 0, kept;

        while (at < n) {
            CU_ASSERT_EQUAL(tk_read_buffer_ahead(&in, false, 1U << 30, 1000), 0);
            at += put(&in, &scratch, bytes + at, n - at < 100000 ? n - at : 100000);
            if (at < n) {
                (void)tk_read_buffer_next(&in, false, 1U << 30);
                tk_read_buffer_keep(&in, &scratch);
            }
        }
        kept = in.left;
        CU_ASSERT_EQUAL(tk_read_buffer_ahead(&in, false, 1U << 30, 1000),
                        sizes[i] > 1000 ? sizes[i] : 0);
        CU_ASSERT_EQUAL(in.left, kept);
        CU_ASSERT_EQUAL(tk_read_buffer_next(&in, false, 1U << 30).size, sizes[i]);
        tk_read_buffer_done(&in, &scratch);
        tk_buffer_done(&scratch.buffer);
        free(bytes);
    }
}

TAP_MAIN("read_buffer", TAP_TEST(test_ahead), TAP_TEST(test_sizes), TAP_TEST(test_lends_little),
         TAP_TEST(test_detach))
