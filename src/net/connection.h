/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection: it reads requests, has them answered and writes the answers. Writing goes before
 * serving and serving before reading, so that answers leave before new work comes in.
 *
 *               first byte                            16 requests, or its user's turn is over
 *        NEW ──────────────┐                        ┌──────────────> YIELDED
 *                          v                        │                    │ its next turn
 *        IDLE <──────── (serve) ────────────────────┤<───────────────────┘
 *          │               ^  ^                     │ unread answers pile up
 *          v  part of one  │  └──────── RECEIVING   ├──────────────> BLOCKED ── written ──┐
 *          └───────────────┘                        │<────────────────────────────────────┘
 *                                  end of the input └──────────────> FLUSHING ── written ──> closed
 *
 * One function computes the state from what is kept and what is pending; one table says for each
 * state whether the connection waits for reading or for writing.
 */
#ifndef TK_NET_CONNECTION_H
#define TK_NET_CONNECTION_H

#include "net/loop.h"

/*
 * Takes a connection in whose peer was counted into the loop's peers. Owns the descriptor, and
 * counts the peer out at its end. 0; or -ENOMEM, and then both stay the caller's.
 */
int tk_connection_new(struct tk_loop *loop, const struct tk_peer *peer);

/* Closes the connection at once and drops unsent answers. */
void tk_connection_free(struct tk_connection *c);

/* For connections.c: */
void tk_connection_resume(struct tk_connection *c);       /* its turn has come; may free it */
void tk_connection_unpark(struct tk_connection *c);       /* a slot is granted */
void tk_connection_drain(struct tk_connection *c);        /* may free it */
void tk_connection_mend(struct tk_connection *c);         /* may free it */
void tk_connection_new_settings(struct tk_connection *c); /* may free it */
struct tk_connection *tk_connection_next(struct tk_connection *c);

#endif
