/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection: reads, serves, writes, in that order of data and in the reverse order of
 * preference, so that answers leave before new work comes in.
 *
 *               first byte                            16 requests or 10 ms in one turn
 *        NEW ──────────────┐                        ┌──────────────> YIELDED
 *                          v                        │                    │ its next turn
 *        IDLE <──────── (serve) ────────────────────┤<───────────────────┘
 *          │               ^  ^                     │ unread answers pile up
 *          v  part of one  │  └──────── RECEIVING   ├──────────────> BLOCKED ── written ──┐
 *          └───────────────┘                        │<────────────────────────────────────┘
 *                                  end of the input └──────────────> FLUSHING ── written ──> closed
 *
 * The state follows from the facts (what is kept, what is pending) in one function, and what
 * the connection waits for (reading, writing, which deadline) follows from the state in one table.
 */
#ifndef TK_NET_CONNECTION_H
#define TK_NET_CONNECTION_H

#include "net/loop.h"

/*
 * Takes a connection in whose peer was counted into the loop's peers. Owns the descriptor, even
 * on failure, and counts it out at its end. 0 or -ENOMEM.
 */
int tk_connection_new(struct tk_loop *loop, const struct tk_peer *peer);

/* Closes it at once, whatever is pending. */
void tk_connection_free(struct tk_connection *c);

/* For the loop: */
void tk_connection_resume(struct tk_connection *c);       /* the next turn of a yielded one */
void tk_connection_drain(struct tk_connection *c);        /* may free it */
void tk_connection_new_settings(struct tk_connection *c); /* may free it */
struct tk_connection *tk_connection_next(struct tk_connection *c);

#endif
