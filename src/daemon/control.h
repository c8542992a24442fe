/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control socket: ping, health, stats and info on the main thread, with limits of its own,
 * so that it answers when the workers and the main socket don't.
 */
#ifndef TK_DAEMON_CONTROL_H
#define TK_DAEMON_CONTROL_H

#include "daemon/state.h"

/* Starts to serve the control socket. hash_key: two random numbers. 0 or negative errno. */
int tk_control_init(struct tk_daemon *d, const uint64_t *hash_key);

/* Applies new settings; the control socket's own limits stay. 0; or -ENOMEM, with nothing changed. */
int tk_control_set_settings(struct tk_daemon *d, const struct tk_settings *settings);

/* Closes the control socket's connections and frees its loop. */
void tk_control_done(struct tk_daemon *d);

#endif
