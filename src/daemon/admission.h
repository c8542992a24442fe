/* SPDX-License-Identifier: Apache-2.0 */
/* Admission at the main socket: allow-lists, then the limits, then the least loaded worker. */
#ifndef TK_DAEMON_ADMISSION_H
#define TK_DAEMON_ADMISSION_H

#include "daemon/state.h"

/* Gives a new connection to a worker, or refuses it. arg: the daemon. Owns peer->fd. */
void tk_admit(void *arg, const struct tk_peer *peer);

/* Answers `busy` with the limit that was reached, and closes peer->fd. */
void tk_refuse_peer(struct tk_daemon *d, const struct tk_peer *peer, int64_t limit);

/* Answers `busy` because a connection can't be made without more memory, and closes peer->fd. */
void tk_refuse_for_memory(struct tk_daemon *d, const struct tk_peer *peer);

#endif
