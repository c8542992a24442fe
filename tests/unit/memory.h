/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator for tests: counts what is out, remembers the most there was, checks the sizes that
 * it is told, and fails the allocation it is asked to fail (and all later ones).
 */
#ifndef TK_TESTS_MEMORY_H
#define TK_TESTS_MEMORY_H

#include "turnkeeper/turnkeeper.h"

struct memory {
    size_t blocks, bytes; /* allocated now */
    size_t peak;          /* most bytes there were at once */
    size_t calls;         /* allocations and growths asked for */
    size_t fail_at;       /* number of the first call that fails, from 1; 0: none */
    bool confused;        /* somebody told a wrong old_size */
};

tk_allocator memory_allocator(struct memory *memory);

#endif
