/* SPDX-License-Identifier: Apache-2.0 */
#include "net/turns.h"

#include <errno.h>
#include <stdlib.h>

TAILQ_HEAD(members, tk_turn_member);

struct tk_turn_user {
    TAILQ_ENTRY(tk_turn_user) in_users, in_ring;
    struct members waiting;
    uid_t uid;
    size_t members;
    int64_t credit; /* at most TK_TURN_TIME; negative: a debt */
    int64_t worked; /* when its last work ended */
    bool rings;     /* is in the ring */
};

void tk_turns_init(struct tk_turns *turns)
{
    *turns = (struct tk_turns){.waiting = 0};
    TAILQ_INIT(&turns->users);
    TAILQ_INIT(&turns->ring);
}

static void enter_ring(struct tk_turns *turns, struct tk_turn_user *u)
{
    if (!u->rings)
        TAILQ_INSERT_TAIL(&turns->ring, u, in_ring);
    u->rings = true;
}

static void leave_ring(struct tk_turns *turns, struct tk_turn_user *u)
{
    if (u->rings)
        TAILQ_REMOVE(&turns->ring, u, in_ring);
    u->rings = false;
}

static void forget(struct tk_turns *turns, struct tk_turn_user *u)
{
    leave_ring(turns, u);
    TAILQ_REMOVE(&turns->users, u, in_users);
    turns->known--;
    free(u);
}

void tk_turns_done(struct tk_turns *turns)
{
    struct tk_turn_user *u;

    while (turns->users.tqh_last && (u = TAILQ_FIRST(&turns->users)) != NULL)
        forget(turns, u);
    *turns = (struct tk_turns){.waiting = 0};
}

/* Finds a user. Forgets those on the way that have no members and would have paid by now: a machine
 * has few users, but over the years many numbers of them. */
static struct tk_turn_user *find(struct tk_turns *turns, uid_t uid, int64_t now)
{
    struct tk_turn_user *u = TAILQ_FIRST(&turns->users), *found = NULL;

    while (u && !found) {
        struct tk_turn_user *next = TAILQ_NEXT(u, in_users);

        if (u->uid == uid)
            found = u;
        else if (u->members == 0 && u->credit + (now - u->worked) >= TK_TURN_TIME)
            forget(turns, u);
        u = next;
    }
    return found;
}

int tk_turns_join(struct tk_turns *turns, struct tk_turn_member *turn, uid_t uid, int64_t now)
{
    struct tk_turn_user *u = find(turns, uid, now);

    if (!u) {
        u = calloc(1, sizeof(*u));
        if (!u)
            return -ENOMEM;
        TAILQ_INIT(&u->waiting);
        u->uid = uid;
        u->credit = TK_TURN_TIME;
        TAILQ_INSERT_HEAD(&turns->users, u, in_users);
        turns->known++;
    }
    u->members++;
    turn->user = u;
    turn->waiting = false;
    return 0;
}

void tk_turns_leave(struct tk_turns *turns, struct tk_turn_member *turn)
{
    tk_turns_stop(turns, turn);
    turn->user->members--;
}

bool tk_turns_may_begin(const struct tk_turn_member *turn)
{
    return turn->user->credit > 0 && TAILQ_EMPTY(&turn->user->waiting);
}

int64_t tk_turns_credit(const struct tk_turn_member *turn)
{
    return turn->user->credit;
}

void tk_turns_wait(struct tk_turns *turns, struct tk_turn_member *turn, int64_t now)
{
    struct tk_turn_user *u = turn->user;

    if (turn->waiting)
        return;
    if (TAILQ_EMPTY(&u->waiting)) {
        turns->waiting++;
        if (u->credit < 0)
            u->credit = u->credit + (now - u->worked) < 0 ? u->credit + (now - u->worked) : 0;
    }
    TAILQ_INSERT_TAIL(&u->waiting, turn, link);
    turn->waiting = true;
    enter_ring(turns, u);
}

void tk_turns_stop(struct tk_turns *turns, struct tk_turn_member *turn)
{
    if (!turn->waiting)
        return;
    TAILQ_REMOVE(&turn->user->waiting, turn, link);
    turn->waiting = false;
    if (TAILQ_EMPTY(&turn->user->waiting))
        turns->waiting--;
}

void tk_turns_polled(struct tk_turns *turns)
{
    struct tk_turn_user *u = TAILQ_FIRST(&turns->ring);

    while (turns->waiting == 0 && u) {
        struct tk_turn_user *next = TAILQ_NEXT(u, in_ring);

        if (u->credit > -TK_TURN_TIME) {
            u->credit = TK_TURN_TIME;
            leave_ring(turns, u);
        }
        u = next;
    }
}

/* Ends the turn of the first user of the ring. */
static void turn_ring(struct tk_turns *turns, struct tk_turn_user *u)
{
    bool waits = !TAILQ_EMPTY(&u->waiting);

    u->credit += TK_TURN_TIME;
    if (u->credit > TK_TURN_TIME || (waits && turns->waiting == 1))
        u->credit = TK_TURN_TIME;
    leave_ring(turns, u);
    if (waits || u->credit < TK_TURN_TIME)
        enter_ring(turns, u);
}

struct tk_turn_member *tk_turns_next(struct tk_turns *turns)
{
    struct tk_turn_user *u;
    struct tk_turn_member *turn;

    if (turns->waiting == 0)
        return NULL;
    u = TAILQ_FIRST(&turns->ring);
    while (TAILQ_EMPTY(&u->waiting) || u->credit <= 0) {
        turn_ring(turns, u);
        u = TAILQ_FIRST(&turns->ring);
    }
    turn = TAILQ_FIRST(&u->waiting);
    tk_turns_stop(turns, turn);
    return turn;
}

void tk_turns_charge(struct tk_turns *turns, struct tk_turn_user *user, int64_t began,
                     int64_t ended)
{
    user->credit -= ended - began;
    user->worked = ended;
    if (user->credit < TK_TURN_TIME)
        enter_ring(turns, user);
}
