/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All connections of one loop together: their turns, a reload, a drain, and their end. A single
 * connection knows its loop; the loop doesn't know what a connection is.
 */
#ifndef TK_NET_CONNECTIONS_H
#define TK_NET_CONNECTIONS_H

#include "net/loop.h"

/* Makes the loop ready to hold connections. */
void tk_connections_init(struct tk_loop *loop);

/* Closes all connections of the loop. */
void tk_connections_done(struct tk_loop *loop);

/* Applies new settings to the loop and to its open connections. Takes a reference. */
void tk_connections_set_settings(struct tk_loop *loop, struct tk_settings *settings);

/* Lets connections with long requests wait for their turn again, once a slot was granted. */
void tk_connections_unpark(struct tk_loop *loop);

/*
 * Adds the events that couldn't be added before, for want of memory. Until then the connection hears
 * nothing, so every loop is mended once a second.
 */
void tk_connections_mend(struct tk_loop *loop);

/* Answers what was read and accepts nothing new; `empty` is called when no connection is left. */
void tk_connections_drain(struct tk_loop *loop);

#endif
