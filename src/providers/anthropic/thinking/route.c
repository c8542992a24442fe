/* SPDX-License-Identifier: Apache-2.0 */
/* Drops thinking because the caller asked for it (OPERATIONS.md C.7 O1 and O2). */
#include "providers/anthropic/thinking/route.h"
#include "engine/protect.h"
#include "providers/anthropic/state.h"

static int drop_thinking(struct tk_plan *p, uint32_t message, uint16_t code, bool unsigned_too)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    for (uint32_t i = t->messages[message].first, next; i != TK_NONE && r == 0; i = next) {
        next = t->parts[i].next;
        if (tk_is_thinking(&t->parts[i]) && (unsigned_too || t->parts[i].kind == TK_PART_REDACTED ||
                                             (t->parts[i].flags & TK_PART_SIGNED)))
            r = tk_edit_drop(p->e, i, code);
    }
    return r;
}

int tk_drop_for_route(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    enum tk_route route = tk_own_policy(p->j)->route;
    int r = 0;

    if (route != TK_ROUTE_THIRD_PARTY && route != TK_ROUTE_DEEPSEEK)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if (t->messages[m].role == TK_ROLE_ASSISTANT)
            r = drop_thinking(p, m, TK_CODE_THINKING_NOT_FOR_ROUTE, route == TK_ROUTE_THIRD_PARTY);
    return r;
}

static bool is_only_results(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].kind != TK_PART_RESULT)
            return false;
    return true;
}

/* Returns the last message in which the user says something other than results, or TK_NONE. */
static uint32_t last_said(const struct tk_transcript *t)
{
    uint32_t m = t->last_message;

    while (m != TK_NONE && (t->messages[m].role != TK_ROLE_USER || is_only_results(t, m)))
        m = t->messages[m].prev;
    return m;
}

int tk_prune_prior(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_turn *newest = tk_newest_turn(t);
    uint32_t last = last_said(t);
    int r = 0;

    if (!tk_own_policy(p->j)->prune || !tk_judges_thinking(p->j) || last == TK_NONE)
        return 0;
    for (uint32_t m = t->first_message; m != last && r == 0; m = t->messages[m].next) {
        bool is_newest =
            newest && t->messages[m].turn != TK_NONE && &t->turns[t->messages[m].turn] == newest;

        if (t->messages[m].role == TK_ROLE_ASSISTANT && !is_newest)
            r = drop_thinking(p, m, TK_CODE_PRIOR_THINKING_PRUNED, true);
    }
    return r;
}
