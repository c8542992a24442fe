/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in flight: what one user may hold, what the others find, the reserve, and a reload. */
#include "net/inflight.h"

#include "../tap.h"

#define ALL   INT64_C(1000000)
#define SHARE INT64_C(500000)
#define LONG  ((size_t)TK_SHORT_FRAME)
#define SHORT (LONG - 1)

static const struct tk_limits limits = {
    .max_inflight_bytes = ALL,
    .max_inflight_bytes_per_uid = SHARE,
};

/* Three users, each with one connection's bytes. */
struct house {
    struct tk_inflight f;
    struct tk_share *share[3];
    size_t charged[3];
};

static void open_house(struct house *h)
{
    CU_ASSERT_EQUAL_FATAL(tk_inflight_init(&h->f, SHARE), 0);
    for (size_t i = 0; i < 3; i++) {
        h->share[i] = tk_inflight_join(&h->f, (uid_t)(1000 + i));
        CU_ASSERT_PTR_NOT_NULL_FATAL(h->share[i]);
        h->charged[i] = 0;
    }
}

static void holds(struct house *h, size_t user, size_t bytes)
{
    tk_inflight_charge(&h->f, h->share[user], &h->charged[user], bytes);
}

static void close_house(struct house *h)
{
    for (size_t i = 0; i < 3; i++) {
        holds(h, i, 0);
        tk_inflight_leave(&h->f, h->share[i]);
    }
    CU_ASSERT_EQUAL(tk_inflight_get(&h->f), 0);
    CU_ASSERT_EQUAL(h->f.held, 0);
    CU_ASSERT_PTR_NULL(h->f.shares);
    tk_inflight_done(&h->f);
}

static enum tk_limit full(struct house *h, size_t user, int64_t more, size_t frame)
{
    return tk_inflight_full(&h->f, h->share[user], more, frame, &limits);
}

static void test_share_of_one_user(void)
{
    struct house h;

    open_house(&h);
    CU_ASSERT_EQUAL(full(&h, 0, SHARE, LONG), TK_LIMIT_COUNT);
    CU_ASSERT_EQUAL(full(&h, 0, SHARE + 1, LONG), TK_LIMIT_max_inflight_bytes_per_uid);
    holds(&h, 0, SHARE);
    CU_ASSERT_EQUAL(full(&h, 0, 0, LONG), TK_LIMIT_COUNT);
    CU_ASSERT_EQUAL(full(&h, 0, 1, LONG), TK_LIMIT_max_inflight_bytes_per_uid);
    CU_ASSERT_EQUAL(full(&h, 0, 1, SHORT), TK_LIMIT_max_inflight_bytes_per_uid);
    CU_ASSERT_EQUAL(full(&h, 1, SHARE, LONG), TK_LIMIT_COUNT);
    holds(&h, 0, 10);
    CU_ASSERT_EQUAL(full(&h, 0, SHARE - 10, LONG), TK_LIMIT_COUNT);
    close_house(&h);
}

/* A user with several connections has one share; it is gone with the last of them. */
static void test_connections_of_one_user(void)
{
    struct house h;
    struct tk_share *again;
    size_t charged = 0;

    open_house(&h);
    again = tk_inflight_join(&h.f, 1000);
    CU_ASSERT_PTR_EQUAL(again, h.share[0]);
    holds(&h, 0, 300000);
    tk_inflight_charge(&h.f, again, &charged, 200000);
    CU_ASSERT_EQUAL(full(&h, 0, 1, LONG), TK_LIMIT_max_inflight_bytes_per_uid);
    tk_inflight_charge(&h.f, again, &charged, 0);
    tk_inflight_leave(&h.f, again);
    CU_ASSERT_EQUAL(full(&h, 0, 200000, LONG), TK_LIMIT_COUNT);
    close_house(&h);
}

static void test_all_users_and_the_reserve(void)
{
    struct house h;
    const int64_t reserve = ALL / TK_RESERVE_PART;

    open_house(&h);
    holds(&h, 0, SHARE);
    holds(&h, 1, SHARE - 100);
    CU_ASSERT_EQUAL(full(&h, 2, 100, LONG), TK_LIMIT_COUNT);
    CU_ASSERT_EQUAL(full(&h, 2, 101, LONG), TK_LIMIT_max_inflight_bytes);
    CU_ASSERT_EQUAL(full(&h, 2, 100 + reserve, SHORT), TK_LIMIT_COUNT);
    CU_ASSERT_EQUAL(full(&h, 2, 101 + reserve, SHORT), TK_LIMIT_max_inflight_bytes);
    holds(&h, 0, 0);
    CU_ASSERT_EQUAL(full(&h, 2, SHARE, LONG), TK_LIMIT_COUNT);
    close_house(&h);
}

/* An answer may be larger than any share: that is no concern of the others. */
static void test_more_than_a_share(void)
{
    struct house h;

    open_house(&h);
    holds(&h, 0, 50 * ALL);
    CU_ASSERT_EQUAL(tk_inflight_get(&h.f), 50 * ALL);
    CU_ASSERT_EQUAL(full(&h, 0, 1, SHORT), TK_LIMIT_max_inflight_bytes);
    CU_ASSERT_EQUAL(full(&h, 1, ALL - SHARE, LONG), TK_LIMIT_COUNT);
    CU_ASSERT_EQUAL(full(&h, 1, ALL - SHARE + 1, LONG), TK_LIMIT_max_inflight_bytes);
    holds(&h, 0, 1);
    CU_ASSERT_EQUAL(full(&h, 0, SHARE - 1, LONG), TK_LIMIT_COUNT);
    close_house(&h);
}

static void test_reload(void)
{
    struct house h;
    struct tk_limits less = limits;

    open_house(&h);
    holds(&h, 0, 400000);
    holds(&h, 1, 100000);
    less.max_inflight_bytes_per_uid = 200000;
    tk_inflight_set_most(&h.f, less.max_inflight_bytes_per_uid);
    CU_ASSERT_EQUAL(h.f.held, 300000);
    CU_ASSERT_EQUAL(tk_inflight_full(&h.f, h.share[1], 100000, LONG, &less), TK_LIMIT_COUNT);
    CU_ASSERT_EQUAL(tk_inflight_full(&h.f, h.share[1], 100001, LONG, &less),
                    TK_LIMIT_max_inflight_bytes_per_uid);
    holds(&h, 0, 150000);
    CU_ASSERT_EQUAL(h.f.held, 250000);
    tk_inflight_set_most(&h.f, SHARE);
    CU_ASSERT_EQUAL(h.f.held, 250000);
    close_house(&h);
}

TAP_MAIN("inflight", TAP_TEST(test_share_of_one_user), TAP_TEST(test_connections_of_one_user),
         TAP_TEST(test_all_users_and_the_reserve), TAP_TEST(test_more_than_a_share),
         TAP_TEST(test_reload))
