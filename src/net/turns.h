/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns of users: a fair queue that knows no socket and reads no clock (PROTOCOL 7, "Shares").
 *
 *     ring:    uid 1000 ──> uid 1001 ──> uid 33 ──> (the first again)
 *                 │            │
 *              members       members            those that wait for their turn, first come first
 *
 * Each user has a credit of measured time, TK_TURN_TIME at most. Work takes from it, whoever of the
 * user's members it was for, and however long it took: a request can't be interrupted, so the credit
 * may become a debt. A user whose turn in the ring is over gets one TK_TURN_TIME; a user in debt lets
 * the others pass until it has credit again. So over time users get equal parts of the thread, and a
 * user with 256 connections no more than a user with one.
 *
 * A user with credit, none of whose members waits, needn't wait at all: tk_turns_may_begin(). It
 * joins the ring to get the used credit back, so in one round it gets no more than others. If only
 * one user waits, it owes nobody anything. A debt is also paid by time in which its user asks for nothing.
 */
#ifndef TK_NET_TURNS_H
#define TK_NET_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/queue.h>
#include <sys/types.h>

#include "net/clock.h"

#define TK_TURN_TIME (2 * TK_MILLISECOND)

struct tk_turn_user;

/* A member of the queue, for example a connection. It belongs to the caller. */
struct tk_turn_member {
    TAILQ_ENTRY(tk_turn_member) link; /* while it waits */
    struct tk_turn_user *user;
    void *owner; /* what the caller wants to find again */
    bool waiting;
};

TAILQ_HEAD(tk_turn_users, tk_turn_user);

struct tk_turns {
    struct tk_turn_users users; /* all of them */
    struct tk_turn_users
        ring;       /* those with less than the whole credit, or with members that wait */
    size_t known;   /* number of users */
    size_t waiting; /* number of users with members that wait */
};

/* Makes an empty queue. */
void tk_turns_init(struct tk_turns *turns);

/* Frees all users. No member may be left. A zeroed struct is allowed. */
void tk_turns_done(struct tk_turns *turns);

/* Adds a member of that user. Returns 0 or -ENOMEM. */
int tk_turns_join(struct tk_turns *turns, struct tk_turn_member *turn, uid_t uid, int64_t now);

/* Removes a member, which may be waiting. Its user, and what that owes, stays known for a while. */
void tk_turns_leave(struct tk_turns *turns, struct tk_turn_member *turn);

/* Returns true if the member may work at once: its user has credit, and no other member waits. */
bool tk_turns_may_begin(const struct tk_turn_member *turn);

/* Returns how long the member's user may work until its turn is over; 0 or less: it is over. */
int64_t tk_turns_credit(const struct tk_turn_member *turn);

/* Makes a member wait for its turn, after the other members of its user. No effect if it waits. */
void tk_turns_wait(struct tk_turns *turns, struct tk_turn_member *turn, int64_t now);

/* Makes a member wait no longer. No effect if it doesn't. */
void tk_turns_stop(struct tk_turns *turns, struct tk_turn_member *turn);

/*
 * Notes that all who asked are known, for example because sockets were polled. If nobody waits then,
 * users get their used credit back without waiting for it; a debt of a turn or more stays.
 */
void tk_turns_polled(struct tk_turns *turns);

/* Returns the member that may work now, which no longer waits; NULL if none waits. */
struct tk_turn_member *tk_turns_next(struct tk_turns *turns);

/* Takes the time from `began` to `ended` from the user's credit. The member of the user that it was
 * for may have left meanwhile, if no other has joined. */
void tk_turns_charge(struct tk_turns *turns, struct tk_turn_user *user, int64_t began,
                     int64_t ended);

#endif
