/* SPDX-License-Identifier: Apache-2.0 */
/* How slowly a client may read: spans of time, and whose time counts. */
#include "net/pace.h"

#include "net/clock.h"
#include "tap.h"

#define TIMEOUT (30 * TK_SECOND)
#define LEAST   ((uint64_t)30 * TK_PACE_MIN)

static struct tk_pace_sample at(int64_t seconds, int64_t worked, uint64_t sent)
{
    return (struct tk_pace_sample){seconds * TK_SECOND, worked * TK_SECOND, sent};
}

static void note(struct tk_pace *p, bool pending, struct tk_pace_sample sample)
{
    tk_pace_note(p, pending, &sample);
}

static bool too_slow(struct tk_pace *p, struct tk_pace_sample sample)
{
    return tk_pace_too_slow(p, &sample, TIMEOUT);
}

static void test_nothing_pending(void)
{
    struct tk_pace p = {0};

    CU_ASSERT_EQUAL(tk_pace_end(&p, 0, TIMEOUT), TK_NEVER);
    CU_ASSERT_FALSE(too_slow(&p, at(1000, 0, 0)));
    note(&p, true, at(1000, 0, 0));
    note(&p, false, at(1001, 0, 0)); /* all of it went out */
    CU_ASSERT_EQUAL(tk_pace_end(&p, 0, TIMEOUT), TK_NEVER);
    CU_ASSERT_FALSE(too_slow(&p, at(2000, 0, 0)));
}

static void test_just_fast_enough(void)
{
    struct tk_pace p = {0};

    note(&p, true, at(100, 0, 5));
    note(&p, true, at(110, 0, 7));
    CU_ASSERT_EQUAL(tk_pace_end(&p, 0, TIMEOUT), 130 * TK_SECOND);
    CU_ASSERT_FALSE(too_slow(&p, at(129, 0, 5)));
    CU_ASSERT_FALSE(too_slow(&p, at(130, 0, 5 + LEAST)));
    /* The next span begins there: what was fast before doesn't help. */
    CU_ASSERT_EQUAL(tk_pace_end(&p, 0, TIMEOUT), 160 * TK_SECOND);
    CU_ASSERT_TRUE(too_slow(&p, at(160, 0, 5 + 2 * LEAST - 1)));
}

static void test_time_of_the_thread(void)
{
    struct tk_pace p = {0};

    note(&p, true, at(100, 50, 0));
    CU_ASSERT_EQUAL(tk_pace_end(&p, 62 * TK_SECOND, TIMEOUT), 142 * TK_SECOND);
    CU_ASSERT_FALSE(too_slow(&p, at(130, 62, 1)));
    CU_ASSERT_FALSE(too_slow(&p, at(141, 62, 1)));
    CU_ASSERT_TRUE(too_slow(&p, at(142, 62, LEAST - 1)));
}

TAP_MAIN("pace", TAP_TEST(test_nothing_pending), TAP_TEST(test_just_fast_enough),
         TAP_TEST(test_time_of_the_thread))
