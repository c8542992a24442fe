/* SPDX-License-Identifier: Apache-2.0 */
/* A small generator of numbers for drawn inputs: the same on every machine, unlike rand(). */
#ifndef TK_TESTS_DRAWN_H
#define TK_TESTS_DRAWN_H

#include <stdint.h>

static uint64_t random_state = 88172645463325252;

/* Returns a number from 0 to n - 1. */
static uint32_t random_below(uint32_t n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % n;
}

#endif
