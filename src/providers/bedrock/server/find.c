/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges calls and results of the provider's own tools, such as nova_grounding (PROVIDERS.md 6.2). Call and
 * result are in one message of the model, the result anywhere after the call. The calls and results of one id
 * in one message are a group, and the first row that fits it decides.
 */
#include <errno.h>

#include "providers/bedrock/rules.h"

static bool is_executed(const struct tk_part *p)
{
    return tk_is_call(p, true) || tk_is_result(p, true);
}

/* Returns true for a call or result without a type, which belongs to those of its id. */
static bool is_typeless(const struct tk_part *p)
{
    return (p->kind == TK_PART_CALL || p->kind == TK_PART_RESULT) && p->type == TK_NO_NODE;
}

/* ---- the survey ---- */

/* Marks the calls and results without a type that share an id with the provider's in their message. */
static int mark_typeless(struct tk_judge *j, uint32_t message)
{
    struct tk_transcript *t = j->t;
    struct tk_map ids;
    bool fresh;

    tk_map_init(&ids, t->arena, t->hash_key);
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (is_executed(&t->parts[i]) && tk_part_id(t, &t->parts[i]).n > 0 &&
            !tk_map_put(&ids, tk_part_id(t, &t->parts[i]), &fresh))
            return -ENOMEM;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (is_typeless(&t->parts[i]) && tk_map_get(&ids, tk_part_id(t, &t->parts[i])))
            t->parts[i].flags |= TK_PART_PROVIDER;
    return 0;
}

int tk_brk_survey(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        bool typeless = false, executed = false;

        for (uint32_t i = t->messages[m].first; i != TK_NONE; i = t->parts[i].next) {
            if (is_typeless(&t->parts[i])) {
                t->parts[i].flags &= ~(uint32_t)TK_PART_PROVIDER;
                typeless = true;
            }
            executed = executed || is_executed(&t->parts[i]);
        }
        if (typeless && executed && tk_brk_is_model(t, m))
            r = mark_typeless(j, m);
    }
    return r;
}

/* ---- groups ---- */

/* Returns the index of the part's group, a new one if it is the first of its id in its message; TK_NONE
 * without memory. */
static uint32_t group_for(struct tk_judge *j, struct tk_map *index, uint32_t part)
{
    struct tk_bedrock *own = tk_bedrock(j);
    const struct tk_part *p = &j->t->parts[part];
    bool fresh;
    uint32_t *at = tk_map_put(index, tk_part_id(j->t, p), &fresh);

    if (!at)
        return TK_NONE;
    if (!fresh && own->groups[*at].message == p->message)
        return *at;
    if (!TK_GROW(j->t->arena, own->groups, own->group_count, own->group_capacity))
        return TK_NONE;
    own->groups[own->group_count] = (struct tk_brk_group){
        .message = p->message, .call = TK_NONE, .result = TK_NONE, .answer = TK_NONE};
    *at = own->group_count++;
    return *at;
}

static void add(struct tk_brk_group *g, const struct tk_transcript *t, uint32_t part)
{
    if (t->parts[part].kind == TK_PART_CALL) {
        g->call = g->calls++ == 0 ? part : g->call;
        return;
    }
    g->result = g->results++ == 0 ? part : g->result;
    g->result_first = g->result_first || g->calls == 0;
    if (g->calls > 0 && g->answer == TK_NONE)
        g->answer = part;
}

static int make_groups(struct tk_judge *j)
{
    struct tk_bedrock *own = tk_bedrock(j);
    const struct tk_transcript *t = j->t;
    struct tk_map index;

    own->group_count = 0;
    own->grouped = t->part_count;
    own->group_of = tk_arena_alloc(t->arena, t->part_count * sizeof(*own->group_of));
    if (!own->group_of)
        return -ENOMEM;
    memset(own->group_of, 0xff, t->part_count * sizeof(*own->group_of));
    tk_map_init(&index, t->arena, t->hash_key);
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && tk_brk_is_model(t, m);
             i = t->parts[i].next) {
            uint32_t group = is_executed(&t->parts[i]) ? group_for(j, &index, i) : TK_NONE;

            if (group == TK_NONE && is_executed(&t->parts[i]))
                return -ENOMEM;
            own->group_of[i] = group;
            if (group != TK_NONE)
                add(&own->groups[group], t, i);
        }
    return 0;
}

/* ---- faults ---- */

/* Returns the code of the group's fault; -1: it has none. */
static int fault_of(const struct tk_brk_group *g)
{
    if (g->calls > 1 || g->results > 1)
        return TK_CODE_BRK_SERVER_ID_DUPLICATE;
    if (g->results == 0)
        return TK_CODE_BRK_SERVER_CALL_WITHOUT_RESULT;
    if (g->calls == 0)
        return TK_CODE_BRK_SERVER_RESULT_WITHOUT_CALL;
    return g->result_first ? TK_CODE_BRK_SERVER_RESULT_BEFORE_CALL : -1;
}

static int find_in_part(struct tk_judge *j, uint32_t part)
{
    const struct tk_brk_group *g = tk_brk_group_of(j, part);
    int code = g ? fault_of(g) : TK_CODE_BRK_SERVER_BLOCK_IN_USER;

    return code < 0 ? 0 : tk_find_part(&j->findings, j->t, (uint16_t)code, part);
}

static bool has_executed(const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (is_executed(&t->parts[i]) && !(t->parts[i].flags & TK_PART_REMOVED))
            return true;
    return false;
}

int tk_brk_find_server_pairs(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r;

    tk_bedrock(j)->group_of = NULL;
    if (!has_executed(t))
        return 0;
    r = make_groups(j);
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (is_executed(&t->parts[i]))
                r = find_in_part(j, i);
    return r;
}
