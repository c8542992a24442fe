/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing buffer with room before its content, so that a request can be written around a document
 * without moving it:
 *
 *     | CLI_BUF_HEAD bytes | n bytes of content | room |
 */
#ifndef TK_CLI_IO_BUF_H
#define TK_CLI_IO_BUF_H

#include <stdint.h>

#include "value/str.h"

#define CLI_BUF_HEAD 128

struct cli_buf {
    uint8_t *mem;
    size_t n;    /* content */
    size_t room; /* for content, n included */
};

/* Returns the start of the content. Valid until the next reserve. */
static inline uint8_t *cli_buf_at(const struct cli_buf *buf)
{
    return buf->mem + CLI_BUF_HEAD;
}

static inline struct tk_str cli_buf_str(const struct cli_buf *buf)
{
    return (struct tk_str){buf->mem ? (const char *)cli_buf_at(buf) : NULL, buf->n};
}

/* Makes room for `more` bytes after the content. Returns 0 or -ENOMEM. */
int cli_buf_reserve(struct cli_buf *buf, size_t more);

/* Appends. Returns 0 or -ENOMEM. */
int cli_buf_add(struct cli_buf *buf, const void *bytes, size_t n);

/* Reads the file to its end and appends it; at most `max` bytes in all. Returns 0, -EFBIG if there
 * is more, or another negative errno. */
int cli_buf_read_all(struct cli_buf *buf, int fd, size_t max);

/* Frees the memory; a zeroed buffer is fine. */
void cli_buf_done(struct cli_buf *buf);

#endif
