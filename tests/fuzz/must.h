/* SPDX-License-Identifier: Apache-2.0 */
/* Conditions of a harness: if one doesn't hold, the fuzzer has found a fault. */
#ifndef TK_TESTS_MUST_H
#define TK_TESTS_MUST_H

#include <stdio.h>
#include <stdlib.h>

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif
