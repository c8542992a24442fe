/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/client_pairs/displaced.h"

#include <errno.h>

#include "providers/anthropic/state.h"
#include "rules/plan.h"

static uint32_t place_of(const struct tk_plan *p, uint32_t i)
{
    return p->j->clients.links[tk_anthropic(p->j)->round.displaced.list[i].call].at;
}

static void swap(struct tk_displaced *d, uint32_t a, uint32_t b)
{
    struct tk_displaced_call call = d->list[a];

    d->list[a] = d->list[b];
    d->list[b] = call;
}

int tk_displaced_add(struct tk_plan *p, uint32_t call, uint32_t by)
{
    struct tk_displaced *d = &tk_anthropic(p->j)->round.displaced;

    if (!TK_GROW(p->j->t->arena, d->list, d->count, d->capacity))
        return -ENOMEM;
    d->list[d->count] = (struct tk_displaced_call){call, by};
    for (uint32_t i = d->count++; i > 0 && place_of(p, i) < place_of(p, (i - 1) / 2);
         i = (i - 1) / 2)
        swap(d, i, (i - 1) / 2);
    return 0;
}

bool tk_displaced_take(struct tk_plan *p, uint32_t at, struct tk_displaced_call *ret)
{
    struct tk_displaced *d = &tk_anthropic(p->j)->round.displaced;

    if (d->count == 0 || place_of(p, 0) >= at)
        return false;
    *ret = d->list[0];
    d->list[0] = d->list[--d->count];
    for (uint32_t i = 0, child; (child = 2 * i + 1) < d->count; i = child) {
        if (child + 1 < d->count && place_of(p, child + 1) < place_of(p, child))
            child++;
        if (place_of(p, i) <= place_of(p, child))
            break;
        swap(d, i, child);
    }
    return true;
}
