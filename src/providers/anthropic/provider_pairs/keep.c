/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides which parts stay of an id that several provider-executed pairs use.
 *
 * If several turns use it, the newest signed turn among them keeps its parts. Nothing in a signed
 * turn may change while it is the newest, and the decision must hold when the turn has grown old:
 * prompt caches and signatures depend on it. All others give way, also an older pair that no rule
 * blames.
 *
 * If no turn is signed, the policy decides. keep_first keeps the first complete pair, of one turn
 * or of a call in flight and its result.
 */
#include <errno.h>

#include "engine/fix.h"
#include "engine/plan.h"
#include "engine/protect.h"
#include "providers/anthropic/provider_pairs/keep.h"
#include "providers/anthropic/state.h"

struct tk_keep {
    uint32_t
        signed_group; /* this group, and its partner, keeps its parts; TK_NONE: none is signed */
    uint32_t call, result; /* the first complete pair, or TK_NONE */
};

static bool can_keep(const struct tk_judge *j, const struct tk_group *g)
{
    const struct tk_turn *turn = g->turn == TK_NONE ? NULL : &j->t->turns[g->turn];

    return turn && (turn->flags & TK_TURN_SIGNED) && g->results <= 1 &&
           (g->calls == 1 || tk_is_protected(j->t, turn->first));
}

/* Returns the first result after the group's first call, or TK_NONE. */
static uint32_t answer_in(const struct tk_judge *j, const struct tk_group *g)
{
    bool called = false;

    for (uint32_t i = g->first; i != TK_NONE; i = tk_group_next(&tk_anthropic(j)->pairing, i)) {
        if (j->t->parts[i].kind == TK_PART_CALL)
            called = true;
        else if (called)
            return i;
    }
    return TK_NONE;
}

static void look_for_pair(const struct tk_judge *j, const struct tk_group *g, struct tk_keep *keep)
{
    uint32_t result;

    if (keep->call != TK_NONE || g->call == TK_NONE)
        return;
    result = answer_in(j, g);
    if (result == TK_NONE && g->partner != TK_NONE)
        result = tk_anthropic(j)->pairing.groups[g->partner].result;
    /* A result that moves here from the user's next message completes the pair, too. */
    if (result == TK_NONE && j->policy->preserve &&
        !tk_turn_is_signed(j->t, j->t->parts[g->call].message))
        result = g->outside;
    if (result == TK_NONE)
        return;
    keep->call = g->call;
    keep->result = result;
}

int tk_plan_duplicates(struct tk_plan *p)
{
    const struct tk_judge *j = p->j;
    const struct tk_group *groups = tk_anthropic(j)->pairing.groups;

    tk_anthropic(p->j)->round.keep = NULL;
    tk_anthropic(p->j)->round.keep_count = 0;
    if (j->findings.by_code[TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID] == 0)
        return 0;
    tk_anthropic(p->j)->round.keep = tk_arena_alloc(
        j->t->arena, tk_anthropic(j)->pairing.count * sizeof(*tk_anthropic(p->j)->round.keep));
    if (!tk_anthropic(p->j)->round.keep)
        return -ENOMEM;
    tk_anthropic(p->j)->round.keep_count = tk_anthropic(j)->pairing.count;
    for (uint32_t i = 0; i < tk_anthropic(j)->pairing.count; i++) {
        struct tk_keep keep = {TK_NONE, TK_NONE, TK_NONE};

        if (groups[i].earlier != TK_NONE)
            continue;
        for (uint32_t g = i; g != TK_NONE; g = groups[g].later) {
            if (groups[i].later != TK_NONE && can_keep(j, &groups[g]))
                keep.signed_group = g;
            look_for_pair(j, &groups[g], &keep);
        }
        for (uint32_t g = i; g != TK_NONE; g = groups[g].later)
            tk_anthropic(p->j)->round.keep[g] = keep;
    }
    return 0;
}

/* Returns what is kept of a group's id. NULL if no id of this round is used twice, or if the group
 * is of a later judging. */
static const struct tk_keep *keep_of(const struct tk_plan *p, uint32_t group)
{
    return group < tk_anthropic(p->j)->round.keep_count ? &tk_anthropic(p->j)->round.keep[group]
                                                        : NULL;
}

bool tk_keeps(const struct tk_plan *p, uint32_t part, const struct tk_policy *policy)
{
    uint32_t group = tk_group_index(&tk_anthropic(p->j)->pairing, part);
    const struct tk_group *g = tk_group_of(&tk_anthropic(p->j)->pairing, part);
    const struct tk_keep *keep = keep_of(p, group);

    if (!g || !keep)
        return false;
    if (group == keep->signed_group)
        return true;
    /* A signed turn's call is answered by one result, the first of several. */
    if (keep->signed_group != TK_NONE)
        return tk_anthropic(p->j)->pairing.groups[keep->signed_group].partner == group &&
               (g->results == 1 ||
                (policy->duplicate_id == TK_FIX_KEEP_FIRST && part == g->result));
    return policy->duplicate_id == TK_FIX_KEEP_FIRST &&
           (part == keep->call || part == keep->result);
}

bool tk_gives_way(const struct tk_plan *p, uint32_t group)
{
    const struct tk_keep *keep = keep_of(p, group);

    if (!keep)
        return false;
    if (keep->signed_group != TK_NONE)
        return keep->signed_group != group &&
               tk_anthropic(p->j)->pairing.groups[keep->signed_group].partner != group;
    /* A call in flight whose id the first complete pair uses again: no rule blames it, yet one of
     * them must go. */
    return p->j->policy->duplicate_id == TK_FIX_KEEP_FIRST && keep->call != TK_NONE &&
           group < tk_group_index(&tk_anthropic(p->j)->pairing, keep->call);
}
