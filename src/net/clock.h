/* SPDX-License-Identifier: Apache-2.0 */
/* Time in the server: monotonic, in nanoseconds, as a signed 64 bit number. */
#ifndef TK_NET_CLOCK_H
#define TK_NET_CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

#define TK_MICROSECOND INT64_C(1000)
#define TK_MILLISECOND INT64_C(1000000)
#define TK_SECOND      INT64_C(1000000000)
/* A deadline that never comes. */
#define TK_NEVER INT64_MAX

static inline int64_t tk_now(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * TK_SECOND + t.tv_nsec;
}

/* Converts a duration to a timeval, rounded up so that a timer never fires early. */
static inline struct timeval tk_timeval(int64_t ns)
{
    int64_t us = ns <= 0 ? 0 : (ns + TK_MICROSECOND - 1) / TK_MICROSECOND;

    return (struct timeval){.tv_sec = us / 1000000, .tv_usec = us % 1000000};
}

/* Converts nanoseconds to seconds, cut to whole microseconds, for output to people. */
static inline double tk_seconds(int64_t ns)
{
    return (double)(ns / TK_MICROSECOND) / 1e6;
}

#endif
