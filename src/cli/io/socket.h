/* SPDX-License-Identifier: Apache-2.0 */
/* Frames over the daemon's socket: the client's side of PROTOCOL section 1, one call at a time. */
#ifndef TK_CLI_IO_SOCKET_H
#define TK_CLI_IO_SOCKET_H

#include "cli/io/backend.h"

/* Connects. Returns 0 or a negative errno (-ENAMETOOLONG, -ENOENT, -ECONNREFUSED, ...). */
int cli_socket_connect(struct cli_socket *s);

/*
 * Sends one frame and reads one. A connection that was closed before any byte of the answer is
 * made anew once, but for `once`. Returns 0, -ETIMEDOUT, -ECONNRESET (closed in the middle), or
 * another negative errno; the connection is closed then.
 */
int cli_socket_exchange(struct cli_socket *s, struct tk_str request, struct cli_buf *ret_answer);

void cli_socket_close(struct cli_socket *s);

#endif
