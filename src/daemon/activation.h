/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets passed by a service manager, with the protocol of sd_listen_fds(3). */
#ifndef TK_DAEMON_ACTIVATION_H
#define TK_DAEMON_ACTIVATION_H

#include "net/socket.h"

/*
 * Takes over passed descriptors and identifies them by their path; a socket that wasn't passed is
 * left unchanged. 0, or negative after a line in the log: any other descriptor is an error.
 */
int tk_activation_take(const char *main_path, const char *control_path,
                       struct tk_socket *main_socket, struct tk_socket *control_socket);

#endif
