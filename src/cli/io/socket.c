/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Memory grows with the bytes that arrive, not with the size that the frame announces. */
#define ANSWER_STEP ((size_t)1 << 20)

#define TICK_MS 100 /* how often the callback runs while we wait */

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Returns when a call that begins now must end; 0: no limit. */
static int64_t deadline_of(const struct cli_socket *s)
{
    return s->total_ms ? now_ms() + s->total_ms : 0;
}

/* Returns how long the next wait may last, in milliseconds. */
static int patience(const struct cli_socket *s, int64_t deadline)
{
    int64_t left = deadline ? deadline - now_ms() : s->patience_ms;

    if (left > s->patience_ms)
        left = s->patience_ms;
    return left > 0 ? (int)left : 0;
}

static int await(const struct cli_socket *s, short events, int64_t deadline)
{
    struct pollfd p = {s->fd, events, 0};
    int r;

    int64_t end = now_ms() + patience(s, deadline), left;

    do {
        left = end - now_ms();
        r = poll(&p, 1, left > TICK_MS ? TICK_MS : left > 0 ? (int)left : 0);
        cli_tick(&s->tick);
    } while ((r < 0 && errno == EINTR) || (r == 0 && left > TICK_MS));
    return r > 0 ? 0 : r == 0 ? -ETIMEDOUT : -errno;
}

void cli_socket_close(struct cli_socket *s)
{
    if (s->fd >= 0)
        close(s->fd);
    s->fd = -1;
}

int cli_socket_connect(struct cli_socket *s)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int ms = patience(s, deadline_of(s));
    /* connect() waits if the backlog is full; this limits the time. */
    struct timeval limit = {ms / 1000, ms % 1000 * 1000};

    if (strlen(s->path) >= sizeof(address.sun_path))
        return -ENAMETOOLONG;
    strcpy(address.sun_path, s->path);
    s->fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (s->fd < 0)
        return -errno;
    if (setsockopt(s->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit)) < 0 ||
        connect(s->fd, (struct sockaddr *)&address, sizeof(address)) < 0) {
        int error = errno == EAGAIN ? ETIMEDOUT : errno;

        cli_socket_close(s);
        return -error;
    }
    return 0;
}

static int send_all(const struct cli_socket *s, struct tk_str bytes, int64_t deadline)
{
    while (bytes.n) {
        ssize_t n = send(s->fd, bytes.p, bytes.n, MSG_NOSIGNAL | MSG_DONTWAIT);
        int r = n >= 0 ? 0 : errno == EAGAIN ? await(s, POLLOUT, deadline) : -errno;

        if (r < 0 && r != -EINTR)
            return r;
        if (n > 0)
            bytes = (struct tk_str){bytes.p + n, bytes.n - (size_t)n};
    }
    return 0;
}

/* Appends n bytes. Returns 0, -ECONNRESET at an early end, or another negative errno. */
static int receive(const struct cli_socket *s, size_t n, struct cli_buf *buf, int64_t deadline)
{
    while (n) {
        size_t step = n < ANSWER_STEP ? n : ANSWER_STEP;
        ssize_t got;
        int r = 0;

        if (cli_buf_reserve(buf, step) < 0)
            return -ENOMEM;
        got = recv(s->fd, cli_buf_at(buf) + buf->n, step, MSG_DONTWAIT);
        if (got < 0)
            r = errno == EAGAIN ? await(s, POLLIN, deadline) : -errno;
        else if (got == 0)
            r = -ECONNRESET;
        if (r < 0 && r != -EINTR)
            return r;
        if (got > 0) {
            buf->n += (size_t)got;
            n -= (size_t)got;
        }
    }
    return 0;
}

static int receive_frame(const struct cli_socket *s, struct cli_buf *buf, int64_t deadline)
{
    uint32_t length;
    int r;

    buf->n = 0;
    r = receive(s, sizeof(length), buf, deadline);
    if (r < 0)
        return r;
    memcpy(&length, cli_buf_at(buf), sizeof(length));
    buf->n = 0;
    r = receive(s, ntohl(length), buf, deadline);
    buf->n += r < 0; /* not empty, since the answer has begun */
    return r;
}

static int try_once(const struct cli_socket *s, struct tk_str request, struct cli_buf *ret_answer,
                    int64_t deadline)
{
    uint32_t length = htonl((uint32_t)request.n);
    int r = send_all(s, (struct tk_str){(const char *)&length, sizeof(length)}, deadline);

    if (r == 0)
        r = send_all(s, request, deadline);
    /* A daemon that closed the connection may have sent its reason. */
    if (r < 0 && r != -EPIPE && r != -ECONNRESET)
        return r;
    return receive_frame(s, ret_answer, deadline);
}

int cli_socket_exchange(struct cli_socket *s, struct tk_str request, struct cli_buf *ret_answer)
{
    int64_t deadline = deadline_of(s);
    int r = -ECONNRESET;

    ret_answer->n = 0;
    if (request.n > UINT32_MAX)
        return -EMSGSIZE;
    if (s->fd >= 0)
        r = try_once(s, request, ret_answer, deadline);
    if (r == -ECONNRESET && ret_answer->n == 0 && !s->once) {
        cli_socket_close(s);
        r = cli_socket_connect(s);
        if (r == 0)
            r = try_once(s, request, ret_answer, deadline);
    }
    if (r < 0)
        cli_socket_close(s);
    return r;
}
