/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of users: how much each gets, whatever its number of members and the length of its work. */
#include "net/turns.h"

#include <stdlib.h>

#include "../tap.h"

#define MEMBERS 256
#define MS      TK_MILLISECOND

/* A user in a test: its members, which always want to work, and what it got. */
struct user {
    struct tk_turn_member members[MEMBERS];
    size_t count;
    int64_t cost; /* of each piece of its work */
    int64_t got;
    int64_t pieces;
};

static struct tk_turns turns;
static int64_t now;

static void join(struct user *u, uid_t uid, size_t count, int64_t cost)
{
    *u = (struct user){.count = count, .cost = cost};
    for (size_t i = 0; i < count; i++) {
        CU_ASSERT_EQUAL_FATAL(tk_turns_join(&turns, &u->members[i], uid, now), 0);
        u->members[i].owner = u;
    }
}

static void leave(struct user *u)
{
    for (size_t i = 0; i < u->count; i++)
        tk_turns_leave(&turns, &u->members[i]);
}

static void all_wait(struct user *u)
{
    for (size_t i = 0; i < u->count; i++)
        tk_turns_wait(&turns, &u->members[i], now);
}

/* Lets a member work. */
static void work(struct tk_turn_member *turn)
{
    struct user *u = turn->owner;

    now += u->cost;
    u->got += u->cost;
    u->pieces++;
    tk_turns_charge(&turns, turn->user, now - u->cost, now);
}

/* Lets the next member work, after which it waits again. Returns its user. */
static struct user *step(void)
{
    struct tk_turn_member *turn = tk_turns_next(&turns);

    CU_ASSERT_PTR_NOT_NULL_FATAL(turn);
    CU_ASSERT_FALSE(turn->waiting);
    work(turn);
    tk_turns_wait(&turns, turn, now);
    return turn->owner;
}

static void begin(void)
{
    tk_turns_init(&turns);
    now = 1;
}

/* Users with 256 members and with one, with pieces from 1/100 to 50 turns: each gets the same time. */
static void test_equal_time(void)
{
    static const int64_t costs[] = {TK_TURN_TIME / 100, TK_TURN_TIME / 2, TK_TURN_TIME,
                                    TK_TURN_TIME + 1, 50 * TK_TURN_TIME};
    static struct user many, one;

    for (size_t i = 0; i < 25; i++) {
        int64_t a = costs[i / 5], b = costs[i % 5], most = a > b ? a : b;

        begin();
        join(&many, 1, MEMBERS, a);
        join(&one, 2, 1, b);
        all_wait(&many);
        all_wait(&one);
        while (now < 1000 * most)
            (void)step();
        CU_ASSERT_TRUE(llabs(many.got - one.got) <= 2 * (most + TK_TURN_TIME));
        leave(&many);
        leave(&one);
        tk_turns_done(&turns);
    }
}

/* A user's turn takes 2 ms and ends with the piece that uses them up; N pieces of it, not N+1. */
static void test_length_of_a_turn(void)
{
    static struct user a, b;

    for (int64_t pieces = 1; pieces <= 20; pieces++) {
        int64_t n = 0;

        begin();
        join(&a, 1, MEMBERS, TK_TURN_TIME / pieces + (TK_TURN_TIME % pieces != 0));
        join(&b, 2, 1, MS);
        all_wait(&a);
        all_wait(&b);
        while (step() == &a)
            n++;
        CU_ASSERT_EQUAL(n, pieces);
        leave(&a);
        leave(&b);
        tk_turns_done(&turns);
    }
}

/* A piece of 100 ms is paid by 50 turns of the others. */
static void test_debt(void)
{
    static struct user greedy, other;
    int64_t n = 0;

    begin();
    join(&greedy, 1, 3, 100 * MS);
    join(&other, 2, 1, TK_TURN_TIME);
    all_wait(&greedy);
    all_wait(&other);
    CU_ASSERT_PTR_EQUAL(step(), &greedy);
    CU_ASSERT_EQUAL(tk_turns_credit(&greedy.members[0]), TK_TURN_TIME - 100 * MS);
    while (step() == &other)
        n++;
    CU_ASSERT_EQUAL(n, 50);
    leave(&greedy);
    leave(&other);
    tk_turns_done(&turns);
}

/* A debt lasts when its connection ends: a new connection of the user doesn't begin anew. */
static void test_debt_outlives_the_connection(void)
{
    static struct user greedy, other;

    begin();
    join(&greedy, 1, 1, 100 * MS);
    join(&other, 2, 1, TK_TURN_TIME);
    work(&greedy.members[0]);
    leave(&greedy);
    join(&greedy, 1, 1, 100 * MS);
    CU_ASSERT_FALSE(tk_turns_may_begin(&greedy.members[0]));
    all_wait(&greedy);
    all_wait(&other);
    for (int i = 0; i < 40; i++)
        CU_ASSERT_PTR_EQUAL(step(), &other);
    leave(&greedy);
    leave(&other);
    tk_turns_done(&turns);
}

/* Time in which the user asks for nothing pays as well, up to nothing owed. */
static void test_old_debts(void)
{
    static struct user greedy;

    begin();
    join(&greedy, 1, 1, 100 * MS);
    work(&greedy.members[0]);
    now += 40 * MS;
    all_wait(&greedy);
    CU_ASSERT_EQUAL(tk_turns_credit(&greedy.members[0]), TK_TURN_TIME - 60 * MS);
    tk_turns_stop(&turns, &greedy.members[0]);
    now += 3600 * TK_SECOND;
    all_wait(&greedy);
    CU_ASSERT_EQUAL(tk_turns_credit(&greedy.members[0]), 0);
    leave(&greedy);
    tk_turns_done(&turns);
}

/* A user that waits alone owes nobody anything. */
static void test_alone(void)
{
    static struct user greedy, idle;

    begin();
    join(&greedy, 1, 2, 100 * MS);
    join(&idle, 2, 1, MS);
    work(&idle.members[0]);
    all_wait(&greedy);
    for (int i = 0; i < 10; i++)
        CU_ASSERT_PTR_EQUAL(step(), &greedy);
    CU_ASSERT_EQUAL(tk_turns_credit(&idle.members[0]), TK_TURN_TIME); /* its turns passed */
    leave(&greedy);
    CU_ASSERT_PTR_NULL(tk_turns_next(&turns));
    leave(&idle);
    tk_turns_done(&turns);
}

/*
 * A user that asks now and then never waits for more than the piece that is being worked on, and
 * can't get more than its part that way either.
 */
static void test_newcomer(void)
{
    static struct user greedy[3], guest;
    int64_t n = 0, before;

    begin();
    for (size_t i = 0; i < 3; i++) {
        join(&greedy[i], (uid_t)i + 1, MEMBERS, MS);
        all_wait(&greedy[i]);
    }
    join(&guest, 9, 1, MS / 100);
    for (int i = 0; i < 1000; i++) {
        (void)step();
        CU_ASSERT_TRUE(tk_turns_may_begin(&guest.members[0]));
        work(&guest.members[0]);
    }
    before = guest.got = 0;
    guest.cost = MS / 4;
    for (size_t i = 0; i < 3; i++)
        greedy[i].got = 0;
    while (now < 4000 * MS) {
        (void)step();
        while (tk_turns_may_begin(&guest.members[0]))
            work(&guest.members[0]);
        n += guest.got > before;
        before = guest.got;
    }
    for (size_t i = 0; i < 3; i++)
        CU_ASSERT_TRUE(guest.got <= greedy[i].got + 4 * TK_TURN_TIME);
    CU_ASSERT_TRUE(n > 0);
    for (size_t i = 0; i < 3; i++)
        leave(&greedy[i]);
    leave(&guest);
    tk_turns_done(&turns);
}

/* When nobody waits, used credit comes back at once, and so does a debt below a turn, N; not N+1. */
static void test_polled(void)
{
    static struct user u, other;

    for (int64_t cost = 1; cost < 2 * TK_TURN_TIME + 2;
         cost += cost < 2 * TK_TURN_TIME - 1 ? TK_TURN_TIME / 8 : 1) {
        begin();
        join(&u, 1, 2, cost);
        join(&other, 2, 1, MS);
        work(&u.members[0]);
        all_wait(&other);
        tk_turns_polled(&turns); /* somebody waits */
        CU_ASSERT_EQUAL(tk_turns_credit(&u.members[0]), TK_TURN_TIME - cost);
        tk_turns_stop(&turns, &other.members[0]);
        tk_turns_polled(&turns);
        CU_ASSERT_EQUAL(tk_turns_credit(&u.members[0]),
                        cost < 2 * TK_TURN_TIME ? TK_TURN_TIME : TK_TURN_TIME - cost);
        leave(&u);
        leave(&other);
        tk_turns_done(&turns);
    }
}

/* Members of one user take turns, and one that leaves or stops is left out. */
static void test_members(void)
{
    static struct user u;

    begin();
    join(&u, 1, 5, MS / 100);
    all_wait(&u);
    for (size_t i = 0; i < 20; i++) {
        struct tk_turn_member *turn = tk_turns_next(&turns);

        CU_ASSERT_PTR_EQUAL(turn, &u.members[i % 5]);
        tk_turns_wait(&turns, turn, now);
        tk_turns_wait(&turns, turn, now); /* no second place */
    }
    tk_turns_stop(&turns, &u.members[0]);
    tk_turns_stop(&turns, &u.members[0]);
    tk_turns_leave(&turns, &u.members[1]);
    for (size_t i = 2; i < 5; i++)
        CU_ASSERT_PTR_EQUAL(tk_turns_next(&turns), &u.members[i]);
    CU_ASSERT_PTR_NULL(tk_turns_next(&turns));
    CU_ASSERT_EQUAL(turns.waiting, 0);
    tk_turns_done(&turns);
}

/* Users that are gone and owe nothing are forgotten: their number doesn't grow with the years. */
static void test_users_that_are_gone(void)
{
    static struct user u;

    begin();
    for (uid_t uid = 0; uid < 10000; uid++) {
        join(&u, uid, 1, 10 * MS);
        work(&u.members[0]);
        leave(&u);
        CU_ASSERT_TRUE(turns.known <= 2);
    }
    now += 10 * MS;
    join(&u, 10000, 1, MS);
    CU_ASSERT_EQUAL(turns.known, 1);
    leave(&u);
    tk_turns_done(&turns);
}

TAP_MAIN("turns", TAP_TEST(test_equal_time), TAP_TEST(test_length_of_a_turn), TAP_TEST(test_debt),
         TAP_TEST(test_debt_outlives_the_connection), TAP_TEST(test_old_debts),
         TAP_TEST(test_alone), TAP_TEST(test_newcomer), TAP_TEST(test_polled),
         TAP_TEST(test_members), TAP_TEST(test_users_that_are_gone))
