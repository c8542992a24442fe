/* SPDX-License-Identifier: Apache-2.0 */
#include "net/turn_away.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "methods/core/host.h"
#include "net/clock.h"
#include "net/frame.h"

/* `retry_after_ms` sent with `busy`. */
#define RETRY_AFTER_MS 1000
/* The most pieces of a refusal, which is one small document. */
#define PIECES_MAX 15

/* Sends one framed answer without waiting: the socket is new, so its buffer is empty. */
static void send_framed(int fd, const struct iovec *pieces, size_t n, size_t size)
{
    uint8_t head[TK_FRAME_HEADER];
    struct iovec iov[1 + PIECES_MAX] = {{head, tk_framing_length.head(head, size)}};
    struct msghdr m = {.msg_iov = iov, .msg_iovlen = n + 1};
    ssize_t sent;

    if (n > PIECES_MAX)
        return;
    memcpy(iov + 1, pieces, n * sizeof(*pieces));
    do
        sent = sendmsg(fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
    while (sent < 0 && errno == EINTR);
}

static void send_internal(int fd)
{
    char text[TK_INTERNAL_MAX];
    struct iovec piece = {text, tk_refuse_internal((uint64_t)tk_now(), text)};

    send_framed(fd, &piece, 1, piece.iov_len);
}

void tk_turn_away(tk_core *core, int fd, int64_t limit)
{
    char unread[4096];
    tk_reply *reply;
    size_t n;

    if (tk_refuse(core, TK_ERR_BUSY, (uint64_t)limit, RETRY_AFTER_MS, &reply) == 0) {
        const struct iovec *pieces = tk_reply_iov(reply, &n);

        send_framed(fd, pieces, n, tk_reply_size(reply));
        tk_reply_free(reply);
    } else {
        send_internal(fd);
    }
    /* Unread bytes at close() would turn the client's end of file into a reset. */
    (void)recv(fd, unread, sizeof(unread), MSG_DONTWAIT);
    (void)close(fd);
}
