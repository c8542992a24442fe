/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/buf.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#define FIRST_ROOM ((size_t)4096 - CLI_BUF_HEAD)
#define READ_SIZE  ((size_t)64 << 10)

int cli_buf_reserve(struct cli_buf *buf, size_t more)
{
    size_t room = buf->room ? buf->room : FIRST_ROOM;
    uint8_t *mem;

    if (buf->mem && buf->room - buf->n >= more)
        return 0;
    if (more > SIZE_MAX / 4 - buf->n)
        return -ENOMEM;
    while (room < buf->n + more)
        room *= 2;
    mem = realloc(buf->mem, CLI_BUF_HEAD + room);
    if (!mem)
        return -ENOMEM;
    buf->mem = mem;
    buf->room = room;
    return 0;
}

int cli_buf_add(struct cli_buf *buf, const void *bytes, size_t n)
{
    if (cli_buf_reserve(buf, n) < 0)
        return -ENOMEM;
    if (n)
        memcpy(cli_buf_at(buf) + buf->n, bytes, n);
    buf->n += n;
    return 0;
}

int cli_buf_read_all(struct cli_buf *buf, int fd, size_t max)
{
    for (;;) {
        ssize_t n;

        if (cli_buf_reserve(buf, READ_SIZE) < 0)
            return -ENOMEM;
        n = read(fd, cli_buf_at(buf) + buf->n, READ_SIZE);
        if (n == 0)
            return 0;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        buf->n += (size_t)n;
        if (buf->n > max)
            return -EFBIG;
    }
}

void cli_buf_done(struct cli_buf *buf)
{
    free(buf->mem);
    *buf = (struct cli_buf){NULL, 0, 0};
}
