/* SPDX-License-Identifier: Apache-2.0 */
#include "value/budget.h"

#include <stdint.h>

void tk_budget_init(struct tk_budget *budget, tk_allocator inner)
{
    *budget = (struct tk_budget){.inner = inner, .limit = INT64_MAX};
}

void tk_budget_begin(struct tk_budget *budget, size_t used, uint64_t limit)
{
    budget->used = (int64_t)used;
    budget->limit = limit < INT64_MAX ? (int64_t)limit : INT64_MAX;
    budget->exceeded = budget->is_late = false;
    budget->late = NULL;
}

void tk_budget_watch(struct tk_budget *budget, bool (*late)(void *arg), void *arg)
{
    budget->late = late;
    budget->late_arg = arg;
    budget->unasked = 0;
}

void tk_budget_end(struct tk_budget *budget)
{
    budget->limit = INT64_MAX;
    budget->late = NULL;
}

/* Asks as often as `more` bytes are worth it. Returns true if the time is over. */
static bool is_late(struct tk_budget *budget, int64_t more)
{
    for (budget->unasked += more; budget->unasked >= TK_BUDGET_POLL && !budget->is_late;
         budget->unasked -= TK_BUDGET_POLL)
        budget->is_late = budget->late(budget->late_arg);
    return budget->is_late;
}

static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct tk_budget *budget = opaque;
    int64_t more = (int64_t)new_size - (int64_t)old_size;
    void *p;

    if (more > 0 && budget->used > budget->limit - more) { /* `used` may be below 0 */
        budget->exceeded = true;
        return NULL;
    }
    if (more > 0 && budget->late && is_late(budget, more))
        return NULL;
    p = budget->inner.resize(budget->inner.opaque, ptr, old_size, new_size);
    if (p || new_size == 0)
        budget->used += more;
    return p;
}

tk_allocator tk_budget_allocator(struct tk_budget *budget)
{
    return (tk_allocator){resize, budget};
}
