/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CUnit speaking TAP: one line per test as soon as it is done, so that a crash shows which one
 * it was, and each failed assertion as a '#' line.
 *
 *     static void test_empty(void) { CU_ASSERT(...); }
 *     TAP_MAIN("arena", TAP_TEST(test_empty), TAP_TEST(test_grow))
 */
#ifndef TK_TESTS_TAP_H
#define TK_TESTS_TAP_H

#ifdef __wasm__
#include "tap_wasm.h"
#else
#include <CUnit/CUnit.h>
#include <CUnit/TestDB.h>
#include <CUnit/TestRun.h>
#include <stddef.h>
#include <stdio.h>

struct tap_test {
    const char *name;
    void (*run)(void);
};

static unsigned tap_done;

static void tap_complete(const CU_pTest test, const CU_pSuite suite,
                         const CU_pFailureRecord failures)
{
    printf("%s %u - %s/%s\n", failures ? "not ok" : "ok", ++tap_done, suite->pName, test->pName);
    for (CU_pFailureRecord f = failures; f; f = f->pNext)
        printf("# %s:%u: %s\n", f->strFileName ? f->strFileName : "?", f->uiLineNumber,
               f->strCondition ? f->strCondition : "?");
    fflush(stdout);
}

static int tap_main(const char *name, const struct tap_test *tests, size_t n)
{
    CU_pSuite suite;
    unsigned failed;

    if (CU_initialize_registry() != CUE_SUCCESS)
        return 99;
    suite = CU_add_suite(name, NULL, NULL);
    for (size_t i = 0; suite && i < n; i++)
        if (!CU_add_test(suite, tests[i].name, tests[i].run))
            suite = NULL;
    if (!suite) {
        printf("Bail out! CUnit: %s\n", CU_get_error_msg());
        return 99;
    }
    printf("1..%u\n", CU_get_registry()->uiNumberOfTests);
    CU_set_test_complete_handler(tap_complete);
    CU_run_all_tests();
    failed = CU_get_number_of_failures();
    CU_cleanup_registry();
    return failed > 0;
}

#endif

#define TAP_TEST(function)                                                                         \
    {                                                                                              \
#function, function                                                                        \
    }

#define TAP_MAIN(suite, ...)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        static const struct tap_test tests[] = {__VA_ARGS__};                                      \
                                                                                                   \
        return tap_main(suite, tests, sizeof(tests) / sizeof(tests[0]));                           \
    }

#endif
