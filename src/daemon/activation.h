/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets that a service manager passed (sd_listen_fds(3)'s protocol). */
#ifndef TK_DAEMON_ACTIVATION_H
#define TK_DAEMON_ACTIVATION_H

#include "net/socket.h"

/*
 * Takes over passed descriptors, told apart by their path; what wasn't passed is left untouched.
 * 0, or negative after a line in the log: a descriptor that is neither of the two is a mistake.
 */
int tk_activation_take(const char *main_path, const char *control_path,
                       struct tk_socket *main_socket, struct tk_socket *control_socket);

#endif
