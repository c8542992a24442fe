/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

static bool is_set(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* Returns true if the call is in flight at the end of the history and runs code. */
static bool is_running_code(const struct tk_judge *j, const struct tk_group *g)
{
    return g && (g->flags & TK_GROUP_OPEN) && g->call != TK_NONE &&
           tk_runs_code(tk_tool_of_call(j->t, &j->t->parts[g->call]));
}

static bool has_running_code(const struct tk_judge *j)
{
    for (uint32_t i = 0; i < tk_anthropic(j)->pairing.open_count; i++)
        if (is_running_code(j, &tk_anthropic(j)->pairing.groups[tk_anthropic(j)->pairing.open[i]]))
            return true;
    return false;
}

/* ---- the member ---- */

/* An id alone is sent as a string. */
static int judge_shape(struct tk_judge *j, struct tk_val container)
{
    return is_set(tk_get(container, TK_STR("id"))) && !is_set(tk_get(container, TK_STR("skills")))
               ? tk_find_request(&j->findings, j->t, TK_CODE_CONTAINER_SHAPE, container.node)
               : 0;
}

static int judge_use(struct tk_judge *j, struct tk_val container)
{
    return tk_anthropic(j)->offered.flags & TK_OFFERS_CODE || has_running_code(j)
               ? 0
               : tk_find_request(&j->findings, j->t, TK_CODE_CONTAINER_WITHOUT_CODE_EXECUTION,
                                 container.node);
}

/* ---- calls that code made ---- */

static bool is_of_running_code(const struct tk_judge *j, const struct tk_part *p)
{
    struct tk_str id;

    if (!tk_is_call(p, false) || j->t->messages[p->message].role != TK_ROLE_ASSISTANT ||
        !tk_is_made_by_code(p))
        return false;
    id = tk_text(tk_path_get(tk_part_val(p, p->caller), &j->t->shape->caller_id), j->t->arena);
    return id.p && is_running_code(j, tk_group_of_id(j, id));
}

/* The code waits in its container for the results of the client's tools that it called. */
static int judge_missing(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    if (!has_running_code(j))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (is_of_running_code(j, &t->parts[i]))
                r = tk_find_part(&j->findings, j->t, TK_CODE_CONTAINER_REQUIRED, i);
    return r;
}

int tk_judge_container(struct tk_judge *j)
{
    struct tk_val container = tk_request_at(j->request, TK_REQUEST_CONTAINER);
    int r = 0;

    if (is_set(container)) {
        r = judge_shape(j, container);
        if (r == 0)
            r = judge_use(j, container);
    }
    if (r < 0 || tk_has_text(container) || tk_has_text(tk_get(container, TK_STR("id"))))
        return r;
    return judge_missing(j);
}
