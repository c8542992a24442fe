/* SPDX-License-Identifier: Apache-2.0 */
/* Slots for long requests: never more than there are, first come first served, none is lost. */
#include "net/slots.h"

#include <stdlib.h>

#include "../tap.h"

#define WORKERS 5

struct worker {
    struct tk_slot slot;
    int woken;
};

static struct tk_slots slots;
static struct worker workers[WORKERS];

static void on_wake(void *arg)
{
    ((struct worker *)arg)->woken++;
}

static void begin(size_t count)
{
    CU_ASSERT_EQUAL_FATAL(tk_slots_init(&slots, count), 0);
    for (size_t i = 0; i < WORKERS; i++)
        workers[i] = (struct worker){.slot = {.wake = on_wake, .arg = &workers[i]}};
}

static bool take(size_t i)
{
    return tk_slots_take(&slots, &workers[i].slot);
}

static void cancel(size_t i)
{
    tk_slots_cancel(&slots, &workers[i].slot);
}

static bool granted(size_t i)
{
    return !tk_slots_waits(&slots, &workers[i].slot) && workers[i].slot.state == TK_SLOT_GRANTED;
}

/* N may be taken, and the next waits. */
static void test_as_many_as_there_are(void)
{
    for (size_t n = 1; n < WORKERS; n++) {
        begin(n);
        for (size_t i = 0; i < n; i++)
            CU_ASSERT_TRUE(take(i));
        CU_ASSERT_FALSE(take(n));
        CU_ASSERT_FALSE(take(n)); /* waits once */
        cancel(0);
        CU_ASSERT_EQUAL(workers[n].woken, 1);
        CU_ASSERT_TRUE(granted(n));
        CU_ASSERT_FALSE(take(0)); /* it is the other's, even if that takes it later */
        CU_ASSERT_TRUE(take(n));
        CU_ASSERT_FALSE(granted(n));
        cancel(n);
        CU_ASSERT_TRUE(granted(0));
        tk_slots_done(&slots);
    }
}

static void test_first_come_first_served(void)
{
    begin(1);
    CU_ASSERT_TRUE(take(0));
    for (size_t i = 1; i < WORKERS; i++)
        CU_ASSERT_FALSE(take(i));
    cancel(2); /* waits no longer */
    cancel(0);
    CU_ASSERT_TRUE(granted(1));
    cancel(1); /* doesn't need it any more */
    CU_ASSERT_EQUAL(workers[2].woken, 0);
    CU_ASSERT_TRUE(granted(3) && take(3));
    cancel(3);
    CU_ASSERT_TRUE(granted(4));
    cancel(4);
    cancel(4); /* has none */
    CU_ASSERT_EQUAL(slots.free, 1);
    tk_slots_done(&slots);
}

static void test_without_a_limit(void)
{
    begin(0);
    for (size_t i = 0; i < WORKERS; i++)
        CU_ASSERT_TRUE(take(i));
    cancel(0);
    CU_ASSERT_TRUE(take(0));
    tk_slots_done(&slots);
}

/* Whatever workers do: slots that are free, taken and granted are as many as there were, and nobody waits while one is free. */
static void test_none_is_lost(void)
{
    srand(7);
    begin(3);
    for (int i = 0; i < 100000; i++) {
        size_t w = (size_t)rand() % WORKERS, used = 0, waiting = 0;

        if (workers[w].slot.state == TK_SLOT_TAKEN || rand() % 4 == 0)
            cancel(w);
        else
            (void)take(w);
        for (size_t k = 0; k < WORKERS; k++) {
            used += workers[k].slot.state >= TK_SLOT_GRANTED;
            waiting += workers[k].slot.state == TK_SLOT_WAITING;
        }
        CU_ASSERT_EQUAL(slots.free + used, 3);
        CU_ASSERT_TRUE(waiting == 0 || slots.free == 0);
    }
    tk_slots_done(&slots);
}

TAP_MAIN("slots", TAP_TEST(test_as_many_as_there_are), TAP_TEST(test_first_come_first_served),
         TAP_TEST(test_without_a_limit), TAP_TEST(test_none_is_lost))
