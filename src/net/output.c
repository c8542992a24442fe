/* SPDX-License-Identifier: Apache-2.0 */
#include "net/output.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "methods/core/host.h"

/* The most pieces of one sendmsg(): more would cost stack and save nothing. */
#define BATCH 64

bool tk_output_pending(const struct tk_output *out)
{
    return out->kept.size > out->kept_sent || out->lent.bytes || out->pinned.reply;
}

bool tk_output_blocked(const struct tk_output *out)
{
    return out->pinned.reply || out->lent.bytes || out->kept.size - out->kept_sent > TK_HIGH_WATER;
}

size_t tk_output_held(const struct tk_output *out)
{
    const struct tk_pinned *p = &out->pinned;

    return out->kept.capacity + out->lent.capacity + p->frame.capacity +
           (p->left > p->held ? p->left : p->held);
}

static void pinned_done(struct tk_pinned *p)
{
    tk_reply_free(p->reply);
    tk_buffer_done(&p->frame);
    *p = (struct tk_pinned){0};
}

/* Lists up to `max` unsent pieces of the pinned answer. Returns how many. */
static size_t pinned_pieces(const struct tk_pinned *p, struct iovec *to, size_t max)
{
    const struct iovec *iov;
    size_t n, count = 0, skip = p->offset;

    if (!p->reply)
        return 0;
    iov = tk_reply_iov(p->reply, &n);
    for (size_t i = p->piece; i < n && count < max; i++, skip = 0) {
        if (iov[i].iov_len > skip)
            to[count++] = (struct iovec){(char *)iov[i].iov_base + skip, iov[i].iov_len - skip};
    }
    if (p->framing->tail_size > 0 && count < max)
        to[count++] = (struct iovec){(void *)(uintptr_t)p->framing->tail, p->framing->tail_size};
    return count;
}

static void pinned_sent(struct tk_pinned *p, size_t sent)
{
    const struct iovec *iov;
    size_t n;

    if (!p->reply)
        return;
    p->left -= sent;
    if (p->left == 0) {
        pinned_done(p);
        return;
    }
    iov = tk_reply_iov(p->reply, &n);
    for (p->offset += sent; p->piece < n && p->offset >= iov[p->piece].iov_len; p->piece++)
        p->offset -= iov[p->piece].iov_len;
}

/* Advances *at by up to n bytes, at most to the buffer's end; returns the rest of n. */
static size_t advance(struct tk_buffer *b, size_t *at, size_t n)
{
    size_t here = b->size - *at;
    size_t take = n < here ? n : here;

    *at += take;
    return n - take;
}

/* Lists the bytes of a buffer from `at` on as the next piece of a message, if there are any. */
static void add_piece(struct msghdr *m, const struct tk_buffer *b, size_t at)
{
    if (b->size > at)
        m->msg_iov[m->msg_iovlen++] = (struct iovec){b->bytes + at, b->size - at};
}

/* Errors after which the socket takes bytes again later: it is full, or the kernel has no memory. */
static bool is_passing(int error)
{
    return error == EAGAIN || error == EWOULDBLOCK || error == ENOBUFS || error == ENOMEM;
}

/* Sends a batch by one sendmsg(). Returns bytes sent, 0 if the socket takes none now, or -errno. */
static ssize_t send_batch(struct tk_output *out, struct tk_buffer *stage, size_t staged, int fd)
{
    struct iovec iov[BATCH];
    struct msghdr m = {.msg_iov = iov};
    ssize_t sent;

    add_piece(&m, &out->kept, out->kept_sent);
    add_piece(&m, &out->lent, out->lent_sent);
    add_piece(&m, stage, staged);
    m.msg_iovlen += pinned_pieces(&out->pinned, iov + m.msg_iovlen, BATCH - m.msg_iovlen);
    if (m.msg_iovlen == 0)
        return 0;
    do
        sent = sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
    if (sent < 0)
        return is_passing(errno) ? 0 : -errno;
    return sent;
}

/* Drops sent bytes from the buffer: at once if all were sent, else once most were. */
static void kept_forget_sent(struct tk_buffer *kept, size_t *sent)
{
    if (*sent == kept->size) {
        tk_buffer_done(kept);
        *sent = 0;
    } else if (*sent >= kept->size - *sent) {
        kept->size -= *sent;
        memmove(kept->bytes, kept->bytes + *sent, kept->size);
        *sent = 0;
    }
}

/* Keeps the stage from `staged` on: copies it, or takes it over if there is no memory for a copy. */
static void keep_stage(struct tk_output *out, struct tk_buffer *stage, size_t staged)
{
    if (stage->size > staged &&
        tk_buffer_put(&out->kept, stage->bytes + staged, stage->size - staged) < 0) {
        out->lent = tk_buffer_take(stage);
        out->lent_sent = staged;
    }
    stage->size = 0;
}

int tk_output_flush(struct tk_output *out, struct tk_buffer *stage, int fd)
{
    size_t staged = 0;
    ssize_t sent;

    for (;;) {
        size_t n;

        sent = send_batch(out, stage, staged, fd);
        if (sent <= 0)
            break;
        out->sent += (uint64_t)sent;
        n = advance(&out->kept, &out->kept_sent, (size_t)sent);
        n = advance(&out->lent, &out->lent_sent, n);
        n = advance(stage, &staged, n);
        pinned_sent(&out->pinned, n);
    }
    kept_forget_sent(&out->kept, &out->kept_sent);
    if (out->lent.bytes && out->lent_sent == out->lent.size) {
        tk_buffer_done(&out->lent);
        out->lent_sent = 0;
    }
    keep_stage(out, stage, staged);
    return sent < 0 ? (int)sent : 0;
}

/*
 * Puts the head of an answer of `size` bytes on the stage, with room for `room` bytes after it and
 * for a tail; sends what is there if necessary. 0 or negative errno.
 */
static int stage_head(struct tk_output *out, struct tk_buffer *stage, int fd,
                      const struct tk_framing *framing, size_t size, size_t room)
{
    uint8_t head[TK_FRAME_HEADER];
    size_t n = framing->head(head, size);
    int r = tk_buffer_reserve(stage, TK_STAGE_SIZE);

    if (r == 0 && stage->size + n + room + framing->tail_size > stage->capacity)
        r = tk_output_flush(out, stage, fd);
    if (r == 0)
        (void)tk_buffer_put(stage, head, n); /* there is room: can't fail */
    return r;
}

int tk_output_copy(struct tk_output *out, struct tk_buffer *stage, int fd, const struct iovec *iov,
                   size_t iov_n, size_t n, const struct tk_framing *framing)
{
    int r = stage_head(out, stage, fd, framing, n, n);

    if (r < 0)
        return r;
    for (size_t i = 0; i < iov_n; i++)
        (void)tk_buffer_put(stage, iov[i].iov_base, iov[i].iov_len);
    (void)tk_buffer_put(stage, framing->tail, framing->tail_size);
    return 0;
}

int tk_output_pin(struct tk_output *out, struct tk_buffer *stage, int fd, tk_reply *reply,
                  const struct tk_framing *framing, bool *ret_pinned)
{
    size_t n = tk_reply_size(reply);
    int r = stage_head(out, stage, fd, framing, n, 0);

    if (r < 0) {
        tk_reply_free(reply);
        return r;
    }
    out->pinned = (struct tk_pinned){
        .reply = reply,
        .left = n + framing->tail_size,
        .held = tk_reply_held(reply),
        .framing = framing,
    };
    r = tk_output_flush(out, stage, fd);
    *ret_pinned = out->pinned.reply != NULL;
    return r;
}

void tk_output_hold(struct tk_output *out, struct tk_buffer frame)
{
    out->pinned.frame = frame;
}

int tk_output_unpin(struct tk_output *out)
{
    struct tk_pinned *p = &out->pinned;
    int r = tk_buffer_reserve(&out->kept, out->kept.size + p->left);

    while (r == 0 && p->reply) {
        struct iovec iov[BATCH];
        size_t n = pinned_pieces(p, iov, BATCH), bytes = 0;

        for (size_t i = 0; i < n; i++) {
            bytes += iov[i].iov_len;
            (void)tk_buffer_put(&out->kept, iov[i].iov_base, iov[i].iov_len);
        }
        pinned_sent(p, bytes);
    }
    return r;
}

void tk_output_done(struct tk_output *out)
{
    pinned_done(&out->pinned);
    tk_buffer_done(&out->kept);
    tk_buffer_done(&out->lent);
    *out = (struct tk_output){0};
}
