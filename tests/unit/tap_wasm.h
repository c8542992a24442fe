/* SPDX-License-Identifier: Apache-2.0 */
/*
 * As much of CUnit as unit tests in WebAssembly need, which has no CUnit (tests/wasm/test_units.py).
 * Assertions that CUnit calls fatal end the program.
 */
#ifndef TK_TESTS_TAP_WASM_H
#define TK_TESTS_TAP_WASM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static bool tap_failed;

static inline void tap_assert(bool holds, bool fatal, const char *file, int line, const char *text)
{
    if (holds)
        return;
    printf("# %s:%d: %s\n", file, line, text);
    tap_failed = true;
    if (fatal) {
        printf("Bail out! an assertion that the others need failed\n");
        exit(99);
    }
}

#define TAP_ASSERT(condition, fatal) tap_assert(condition, fatal, __FILE__, __LINE__, #condition)
#define CU_ASSERT(condition)         TAP_ASSERT(condition, false)
#define CU_ASSERT_FATAL(condition)   TAP_ASSERT(condition, true)
#define CU_ASSERT_TRUE(condition)    TAP_ASSERT(condition, false)
#define CU_ASSERT_FALSE(condition)   TAP_ASSERT(!(condition), false)
#define CU_ASSERT_EQUAL(a, b)        TAP_ASSERT((a) == (b), false)
#define CU_ASSERT_EQUAL_FATAL(a, b)  TAP_ASSERT((a) == (b), true)
#define CU_FAIL(text)                tap_assert(false, false, __FILE__, __LINE__, text)
#define CU_FAIL_FATAL(text)          tap_assert(false, true, __FILE__, __LINE__, text)

struct tap_test {
    const char *name;
    void (*run)(void);
};

static int tap_main(const char *name, const struct tap_test *tests, size_t n)
{
    bool any_failed = false;

    printf("1..%zu\n", n);
    for (size_t i = 0; i < n; i++) {
        tap_failed = false;
        tests[i].run();
        printf("%s %zu - %s/%s\n", tap_failed ? "not ok" : "ok", i + 1, name, tests[i].name);
        any_failed |= tap_failed;
    }
    return any_failed;
}

#endif
