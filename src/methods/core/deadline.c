/* SPDX-License-Identifier: Apache-2.0 */
/* The time limit of programs that link the library; the daemon and the command line program have their own. */
#include <time.h>

#include "turnkeeper/turnkeeper.h"

#define NS_PER_MS INT64_C(1000000)

/* Returns the stricter one of two limits in milliseconds, where 0 means none. */
static uint32_t stricter(uint32_t a, uint32_t b)
{
    if (a == 0 || b == 0)
        return a | b;
    return a < b ? a : b;
}

/* Returns the time in nanoseconds; only differences of it mean something. */
static int64_t now_ns(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 * NS_PER_MS + now.tv_nsec;
}

void tk_deadline_start(tk_deadline *deadline, uint32_t limit_ms)
{
    deadline->started_ns = now_ns();
    deadline->limit_ms = limit_ms;
}

void tk_deadline_stop(tk_deadline *deadline)
{
    __atomic_store_n(&deadline->stopped, 1, __ATOMIC_RELAXED);
}

bool tk_deadline_passed(void *deadline, uint32_t timeout_ms)
{
    const tk_deadline *d = deadline;
    uint32_t limit_ms = stricter(timeout_ms, d->limit_ms);

    if (__atomic_load_n(&d->stopped, __ATOMIC_RELAXED) != 0)
        return true;
    return limit_ms != 0 && now_ns() - d->started_ns >= limit_ms * NS_PER_MS;
}
