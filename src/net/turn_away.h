/* SPDX-License-Identifier: Apache-2.0 */
/* Refuses a connection before anything of it is read: one framed answer, then its end. */
#ifndef TK_NET_TURN_AWAY_H
#define TK_NET_TURN_AWAY_H

#include "turnkeeper/turnkeeper.h"

/*
 * Answers `busy` on a new connection and closes it; never waits. limit: the value of the limit that
 * the answer names, 0 if it was refused for want of memory. Answers `internal` if there is no memory
 * for that answer either.
 */
void tk_turn_away(tk_core *core, int fd, int64_t limit);

#endif
