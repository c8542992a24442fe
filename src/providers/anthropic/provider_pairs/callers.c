/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callers. Code that the provider runs may call tools itself; such a call, and its result, name the
 * code execution that made it:
 *
 *     server_tool_use srvtoolu_1 code_execution
 *     server_tool_use srvtoolu_2 web_fetch, caller {"type": "code_execution_20260120",
 *                                                   "tool_id": "srvtoolu_1"}
 *
 * The provider looks the name up and refuses one that leads nowhere. {"type": "direct"} says that
 * the model made the call.
 */
#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/provider_pairs/groups.h"

/* Returns true if the named call is in this turn, or in flight when the turn begins. */
static bool leads_somewhere(const struct tk_judge *j, uint32_t turn, struct tk_str id)
{
    const struct tk_group *g = tk_group_of_id(j, id);

    if (!g)
        return false;
    if (g->turn == turn && g->calls > 0)
        return true;
    if (g->turn == turn)
        return g->partner != TK_NONE;
    return (g->flags & TK_GROUP_OPEN) != 0;
}

bool tk_is_made_by_code(const struct tk_part *call)
{
    struct tk_val caller = tk_part_val(call, call->caller);

    return tk_is(caller, TK_OBJECT) &&
           !tk_text_is(tk_get(caller, TK_STR("type")), TK_STR("direct"));
}

static bool dangles(struct tk_judge *j, uint32_t turn, const struct tk_part *p)
{
    struct tk_val caller = tk_part_val(p, p->caller), id;

    if (!tk_is_made_by_code(p))
        return false;
    id = tk_path_get(caller, &j->t->shape->caller_id);
    return !tk_is(id, TK_STRING) || !leads_somewhere(j, turn, tk_text(id, j->t->arena));
}

int tk_judge_callers(struct tk_judge *j, uint32_t turn_index)
{
    struct tk_transcript *t = j->t;
    const struct tk_turn *turn = &t->turns[turn_index];
    int r = 0;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0; i = tk_turn_next(t, turn, i))
        if (t->parts[i].caller != TK_NO_NODE && dangles(j, turn_index, &t->parts[i]))
            r = tk_find_part(&j->findings, t, TK_CODE_CALLER_REFERENCE_DANGLING, i);
    return r;
}
