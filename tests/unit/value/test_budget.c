/* SPDX-License-Identifier: Apache-2.0 */
#include "../memory.h"
#include "../tap.h"
#include "value/budget.h"

static void test_at_the_limit_and_beyond(void)
{
    struct memory memory = {0};
    struct tk_budget budget;
    tk_allocator a;
    void *p, *q;

    tk_budget_init(&budget, memory_allocator(&memory));
    a = tk_budget_allocator(&budget);
    tk_budget_begin(&budget, 100, 1000);
    p = a.resize(a.opaque, NULL, 0, 900);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    CU_ASSERT_FALSE(budget.exceeded);
    CU_ASSERT_PTR_NULL(a.resize(a.opaque, NULL, 0, 1));
    CU_ASSERT_TRUE(budget.exceeded);
    CU_ASSERT_PTR_NULL(a.resize(a.opaque, p, 900, 901));
    p = a.resize(a.opaque, p, 900, 899);
    q = a.resize(a.opaque, NULL, 0, 1);
    CU_ASSERT_PTR_NOT_NULL(q);
    a.resize(a.opaque, q, 1, 0);
    a.resize(a.opaque, p, 899, 0);
    CU_ASSERT_EQUAL(budget.used, 100);
    CU_ASSERT_EQUAL(memory.blocks, 0);
    CU_ASSERT_FALSE(memory.confused);
}

static void test_without_a_limit(void)
{
    struct memory memory = {0};
    struct tk_budget budget;
    tk_allocator a;
    void *p;

    tk_budget_init(&budget, memory_allocator(&memory));
    a = tk_budget_allocator(&budget);
    tk_budget_begin(&budget, 0, UINT64_MAX);
    p = a.resize(a.opaque, NULL, 0, 5000);
    CU_ASSERT_PTR_NOT_NULL(p);
    tk_budget_begin(&budget, 0, 10); /* what is there from before doesn't count */
    p = a.resize(a.opaque, p, 5000, 5010);
    CU_ASSERT_PTR_NULL(a.resize(a.opaque, p, 5010, 5011));
    tk_budget_end(&budget);
    CU_ASSERT_TRUE(budget.exceeded);
    p = a.resize(a.opaque, p, 5010, 9000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    a.resize(a.opaque, p, 9000, 0);
    CU_ASSERT_FALSE(memory.confused);
}

/* A request may free more than it makes, and then any later one may make as much as ever. */
static void test_memory_from_before_is_freed(void)
{
    struct memory memory = {0};
    struct tk_budget budget;
    tk_allocator a;
    void *p;

    tk_budget_init(&budget, memory_allocator(&memory));
    a = tk_budget_allocator(&budget);
    p = a.resize(a.opaque, NULL, 0, 5000);
    tk_budget_begin(&budget, 0, 1000);
    a.resize(a.opaque, p, 5000, 0);
    CU_ASSERT_EQUAL(budget.used, -5000);
    tk_budget_end(&budget);
    p = a.resize(a.opaque, NULL, 0, 2000);
    CU_ASSERT_PTR_NOT_NULL_FATAL(p);
    a.resize(a.opaque, p, 2000, 0);
}

struct asked {
    unsigned times, late_at;
};

static bool ask(void *arg)
{
    struct asked *asked = arg;

    return ++asked->times == asked->late_at;
}

/* The clock is asked by the memory that is made, and nothing is made after its time. */
static void test_watch(void)
{
    struct memory memory = {0};
    struct asked asked = {0, 5};
    struct tk_budget budget;
    tk_allocator a;
    void *p, *q, *small = NULL;

    tk_budget_init(&budget, memory_allocator(&memory));
    a = tk_budget_allocator(&budget);
    tk_budget_begin(&budget, 0, UINT64_MAX);
    tk_budget_watch(&budget, ask, &asked);
    p = a.resize(a.opaque, NULL, 0, TK_BUDGET_POLL - 1);
    CU_ASSERT_EQUAL(asked.times, 0);
    q = a.resize(a.opaque, NULL, 0, 2 * TK_BUDGET_POLL + 1);
    CU_ASSERT_EQUAL(asked.times, 3);
    q = a.resize(a.opaque, q, 2 * TK_BUDGET_POLL + 1, 3 * TK_BUDGET_POLL + 1);
    CU_ASSERT_EQUAL(asked.times, 4);
    CU_ASSERT_PTR_NULL(a.resize(a.opaque, NULL, 0, 9 * TK_BUDGET_POLL));
    CU_ASSERT_TRUE(budget.is_late);
    CU_ASSERT_PTR_NULL(a.resize(a.opaque, NULL, 0, 1));
    CU_ASSERT_EQUAL(asked.times, 5);
    a.resize(a.opaque, p, TK_BUDGET_POLL - 1, 0);
    a.resize(a.opaque, q, 3 * TK_BUDGET_POLL + 1, 0);
    tk_budget_end(&budget);
    CU_ASSERT_TRUE(budget.is_late);
    CU_ASSERT_FALSE(budget.exceeded);
    small = a.resize(a.opaque, NULL, 0, 1);
    CU_ASSERT_PTR_NOT_NULL(small);
    a.resize(a.opaque, small, 1, 0);
    tk_budget_begin(&budget, 0, UINT64_MAX);
    CU_ASSERT_FALSE(budget.is_late);
    CU_ASSERT_EQUAL(memory.blocks, 0);
}

/* Memory that really is out isn't the budget's fault. */
static void test_memory_runs_out(void)
{
    struct memory memory = {.fail_at = 1};
    struct tk_budget budget;
    tk_allocator a;

    tk_budget_init(&budget, memory_allocator(&memory));
    a = tk_budget_allocator(&budget);
    tk_budget_begin(&budget, 0, 1000);
    CU_ASSERT_PTR_NULL(a.resize(a.opaque, NULL, 0, 10));
    CU_ASSERT_FALSE(budget.exceeded);
    CU_ASSERT_EQUAL(budget.used, 0);
}

TAP_MAIN("budget", TAP_TEST(test_at_the_limit_and_beyond), TAP_TEST(test_without_a_limit),
         TAP_TEST(test_memory_from_before_is_freed), TAP_TEST(test_watch),
         TAP_TEST(test_memory_runs_out))
