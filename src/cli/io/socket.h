/* SPDX-License-Identifier: Apache-2.0 */
/* Sends and reads frames over the daemon's socket: the client's side of PROTOCOL section 1, one
 * call at a time. */
#ifndef TK_CLI_IO_SOCKET_H
#define TK_CLI_IO_SOCKET_H

#include "cli/io/backend.h"

/* Connects. Returns 0 or a negative errno (-ENAMETOOLONG, -ENOENT, -ECONNREFUSED, ...). */
int cli_socket_connect(struct cli_socket *s);

/*
 * Sends one frame and reads one. If the connection was closed before any byte of the answer, it
 * connects and sends once more, unless `once` is set. Returns 0, or -ETIMEDOUT, -ECONNRESET (closed
 * in the middle) or another negative errno with the connection closed.
 */
int cli_socket_exchange(struct cli_socket *s, struct tk_str request, struct cli_buf *ret_answer);

void cli_socket_close(struct cli_socket *s);

#endif
