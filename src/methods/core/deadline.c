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

bool tk_deadline_passed(void *deadline, uint32_t timeout_ms)
{
    const tk_deadline *d = deadline;
    uint32_t limit_ms = stricter(timeout_ms, d->limit_ms);
    struct timespec now;

    if (__atomic_load_n(&d->stop, __ATOMIC_RELAXED) != 0)
        return true;
    if (limit_ms == 0)
        return false;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 * NS_PER_MS + now.tv_nsec - d->started_ns >=
           limit_ms * NS_PER_MS;
}
