/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/reserve.h"

#include <errno.h>
#include <event2/event.h>
#include <stdlib.h>

/* More than libevent takes to make a connection of HTTP and to answer on it. */
#define RESERVE ((size_t)256 * 1024)

static void *reserve; /* of the process, as libevent's allocator is; atomic */

/* Frees the reserve. Returns false if it was used before. */
static bool use(void)
{
    void *held = __atomic_exchange_n(&reserve, NULL, __ATOMIC_ACQ_REL);

    free(held);
    return held != NULL;
}

bool tk_reserve_fill(void)
{
    void *none = NULL, *fresh;

    if (__atomic_load_n(&reserve, __ATOMIC_ACQUIRE))
        return true;
    fresh = malloc(RESERVE);
    if (fresh && !__atomic_compare_exchange_n(&reserve, &none, fresh, false, __ATOMIC_ACQ_REL,
                                              __ATOMIC_ACQUIRE))
        free(fresh); /* another thread was faster */
    return fresh != NULL;
}

/* realloc(), and with old == NULL malloc(), with the help of the reserve. */
static void *resize(void *old, size_t n)
{
    void *p = realloc(old, n);

    if (p || n == 0 || !use())
        return p;
    p = realloc(old, n);
    (void)tk_reserve_fill(); /* the lack may have been a short one */
    return p;
}

static void *allocate(size_t n)
{
    return resize(NULL, n);
}

int tk_reserve_init(void)
{
    event_set_mem_functions(allocate, resize, free);
    return tk_reserve_fill() ? 0 : -ENOMEM;
}
