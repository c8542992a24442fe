/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes in any pieces on one connection, without a socket: framing, read buffer and core as
 * the server wires them up. A second, simpler reader splits the whole input at once; both must
 * find the same requests in the same order, and each of them gets exactly one answer.
 *
 * Input: two bytes that choose the sizes of the pieces, then what the client sends.
 */
#include "expected.h"
#include "must.h"

#include "methods/core/host.h"
#include "net/read_buffer.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small, so that inputs of a few hundred bytes reach them. */
#define MAX_FRAME 300
#define MAX_KEPT  200

/* ---- the connection ---- */

struct connection {
    tk_core *core;
    tk_session *session;
    struct tk_scratch scratch;
    struct tk_read_buffer in;
    struct tk_buffer pinned; /* memory of an earlier request that an answer refers to */
    const uint8_t *pinned_bytes;
    struct tk_frame pinned_frame; /* where the simple reader saw it */
    struct expected expected;
};

static bool never(void *opaque, uint32_t timeout_ms)
{
    (void)opaque;
    (void)timeout_ms;
    return false;
}

/* One answer, or none where none is wanted. */
static void check_reply(const struct connection *c, int r, tk_reply *const *ret_reply)
{
    tk_reply *reply = *ret_reply;
    const tk_reply_info *info;
    const struct iovec *iov;
    size_t n, total = 0;

    MUST(r == 0);
    info = tk_reply_get_info(reply);
    iov = tk_reply_iov(reply, &n);
    for (size_t i = 0; i < n; i++)
        total += iov[i].iov_len;
    MUST(total == tk_reply_size(reply));
    MUST((total == 0) == info->notification);
    for (size_t i = 0; c->expected.lines && i < n; i++)
        MUST(!memchr(iov[i].iov_base, '\n', iov[i].iov_len));
    tk_reply_free(reply);
}

static void check_pinned(struct connection *c)
{
    if (c->pinned.bytes)
        MUST(memcmp(c->pinned_bytes, c->pinned_frame.bytes, c->pinned_frame.size) == 0);
    tk_buffer_done(&c->pinned);
}

static void answer(struct connection *c, const struct tk_frame *frame)
{
    struct tk_frame expected = expect(&c->expected);
    tk_call_options options = {.size = sizeof(options),
                               .flags = c->expected.lines ? TK_CALL_JSON_ONLY : 0,
                               .cancelled = never};
    tk_reply *reply = NULL;

    MUST(frame->kind == expected.kind && frame->size == expected.size);
    if (frame->kind != TK_FRAME_REQUEST) {
        check_reply(c, tk_refuse(c->core, TK_ERR_FRAME_TOO_LARGE, MAX_FRAME, 0, &reply), &reply);
        return;
    }
    MUST(memcmp(frame->bytes, expected.bytes, frame->size) == 0);
    check_reply(c, tk_call(c->core, c->session, frame->bytes, frame->size, &options, &reply),
                &reply);
    check_pinned(c);
    if (frame->size % 5 == 0 &&
        tk_read_buffer_detach(&c->in, &c->scratch, frame->size, &c->pinned)) {
        c->pinned_bytes = frame->bytes;
        c->pinned_frame = expected;
    }
}

/*
 * Drops half a frame, as a server without room for more does: it may be any request, even one that
 * never ends.
 */
static void refuse_half_a_frame(struct connection *c)
{
    tk_reply *reply = NULL;

    tk_read_buffer_skip(&c->in, &c->scratch);
    (void)expect(&c->expected);
    check_reply(c, tk_refuse(c->core, TK_ERR_BUSY, 1, 1, &reply), &reply);
}

static void turn(struct connection *c, const uint8_t *bytes, size_t n, bool eof)
{
    struct iovec space = {0};
    struct tk_frame frame;

    MUST(tk_read_buffer_space(&c->in, &c->scratch, &space) == 0 && space.iov_len > 0);
    MUST(n <= space.iov_len);
    if (n > 0)
        memcpy(space.iov_base, bytes, n);
    tk_read_buffer_added(&c->in, &c->scratch, n);
    while ((frame = tk_read_buffer_next(&c->in, eof, MAX_FRAME)).kind != TK_FRAME_MORE)
        answer(c, &frame);
    tk_read_buffer_keep(&c->in, &c->scratch);
    /* A line of white space alone may turn out to be none. */
    if (!eof && c->in.left > MAX_KEPT && !expected_is_blank(c->in.at, c->in.left))
        refuse_half_a_frame(c);
}

/* At most as much as there is room for, as read() would do. */
static size_t piece_size(struct connection *c, uint32_t *seed, size_t left)
{
    struct iovec space = {0};
    size_t n;

    *seed = *seed * 1664525 + 1013904223;
    n = 1 + (*seed >> 16) % 97;
    if ((*seed & 0x7000) == 0)
        n = 1000;
    MUST(tk_read_buffer_space(&c->in, &c->scratch, &space) == 0);
    n = n < space.iov_len ? n : space.iov_len;
    return n < left ? n : left;
}

static void feed(struct connection *c, const uint8_t *data, size_t size, uint32_t seed)
{
    struct tk_frame rest;

    c->expected = expected_of(data, size, MAX_FRAME);
    for (size_t at = 0; at < size;) {
        size_t n = piece_size(c, &seed, size - at);

        turn(c, data + at, n, false);
        at += n;
    }
    turn(c, NULL, 0, true);
    rest = expect(&c->expected);
    MUST(rest.kind == TK_FRAME_MORE); /* nothing complete went unanswered */
    check_pinned(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static tk_core *core; /* one for all, as a worker has it */
    struct connection c = {0};

    if (size < 2)
        return 0;
    if (!core)
        core = tk_core_new(
            &(tk_options){.size = sizeof(tk_options), .max_depth = 16, .max_values = 64});
    c.core = core;
    c.session = tk_session_new(core);
    MUST(core && c.session);
    feed(&c, data + 2, size - 2, (uint32_t)data[0] << 8 | data[1]);
    tk_read_buffer_done(&c.in, &c.scratch);
    MUST(c.scratch.lent == 0);
    tk_buffer_done(&c.scratch.buffer);
    tk_session_free(c.session);
    return 0;
}
