/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls whose id another call took in this round (RULES.md 6.5). New ids are the old one with a
 * number, so they may be used already, and ids form chains:
 *
 *     c, c, c_2, c_2_2      the second c becomes c_2, so c_2 becomes c_2_2, and so on
 *
 * No rule blamed these calls when the round began. They wait here and are renamed in report order,
 * so that one round is enough for a chain of any length.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_DISPLACED_H
#define TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_DISPLACED_H

#include <stdbool.h>
#include <stdint.h>

struct tk_plan;

struct tk_displaced_call {
    uint32_t call, by; /* by: the earlier call that has its id now */
};

/* Heap of displaced calls, the first in report order on top. */
struct tk_displaced {
    struct tk_displaced_call *list;
    uint32_t count, capacity;
};

/* Adds a call whose id `by` took. Returns 0 or -ENOMEM. */
int tk_displaced_add(struct tk_plan *p, uint32_t call, uint32_t by);

/* Takes the first call out if it is before place `at` (tk_client_link.at); else returns false. */
bool tk_displaced_take(struct tk_plan *p, uint32_t at, struct tk_displaced_call *ret);

#endif
