/* SPDX-License-Identifier: Apache-2.0 */
/* Listening sockets passed by a service manager, with the protocol of sd_listen_fds(3). */
#ifndef TK_DAEMON_ACTIVATION_H
#define TK_DAEMON_ACTIVATION_H

#include "daemon/state.h"

/* The name (FileDescriptorName=) of the listener of HTTP, which may have any address. */
#define TK_ACTIVATION_HTTP "http"

/*
 * Takes over passed descriptors: the main and the control socket by the paths of the settings, that
 * of HTTP by its name. A socket that wasn't passed is left unchanged. 0, or negative after a line in
 * the log: any other descriptor is an error.
 */
int tk_activation_take(struct tk_daemon *d);

#endif
