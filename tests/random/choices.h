/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a generator's choices come from: the bytes of a fuzzer, or an endless stream that a seed
 * and a number fix. Bytes that are used up choose the first of everything: put first what ends
 * soonest.
 */
#ifndef TK_TESTS_RANDOM_CHOICES_H
#define TK_TESTS_RANDOM_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choices {
    const uint8_t *at, *end; /* at NULL: endless */
    uint64_t state;
};

struct choices choices_of_bytes(const uint8_t *bytes, size_t n);
struct choices choices_of_seed(uint64_t seed, uint64_t number);

/* One of 0 to n - 1, n at least 1 and at most 65,536. A byte, or two where one can't say it. */
uint32_t choose(struct choices *c, uint32_t n);

/* True so many times of a hundred; false where bytes are used up. */
bool chance(struct choices *c, uint32_t percent);

#endif
