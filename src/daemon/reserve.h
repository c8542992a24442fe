/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory set aside for libevent. Some of its functions (those that make a connection of HTTP) use a
 * NULL pointer or lose memory when an allocation fails. So its allocator frees the reserve then, and
 * tries again; the heartbeat fills it up.
 */
#ifndef TK_DAEMON_RESERVE_H
#define TK_DAEMON_RESERVE_H

#include <stdbool.h>

/* Makes the reserve and gives libevent its allocator: before any other call of libevent. 0 or
 * -ENOMEM. */
int tk_reserve_init(void);

/* Returns true if the reserve is there, made again if it had been used. Any thread. */
bool tk_reserve_fill(void);

#endif
