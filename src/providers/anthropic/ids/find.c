/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include "providers/anthropic/state.h"
#include "shapes/shape.h"

const struct tk_id_form tk_server_id_form = {
    .head = TK_STR_INIT("srvtoolu_"), .otherwise = TK_STR_INIT("toolu"), .kept = 44};

bool tk_is_mcp(const struct tk_transcript *t, const struct tk_part *p)
{
    struct tk_val type = tk_part_val(p, p->type);

    (void)t;
    return tk_text_is(type, TK_STR("mcp_tool_use")) || tk_text_is(type, TK_STR("mcp_tool_result"));
}

/* ---- judging ---- */

static bool is_blamed(const struct tk_judge *j, uint32_t part)
{
    uint32_t finding = part == TK_NONE ? TK_NONE : j->t->parts[part].finding;

    return finding != TK_NONE && j->findings.list[finding].code != TK_CODE_SERVER_TOOL_ID_PATTERN;
}

/* Returns true if another finding blames a part of the pair. That one comes first, as a pair has
 * one id. */
static bool group_is_blamed(const struct tk_judge *j, const struct tk_group *g)
{
    return is_blamed(j, g->call) || is_blamed(j, g->result);
}

static bool pair_is_blamed(const struct tk_judge *j, uint32_t part)
{
    const struct tk_group *g = tk_group_of(&tk_anthropic(j)->pairing, part), *other;

    if (!g || is_blamed(j, part) || group_is_blamed(j, g))
        return true;
    other = tk_partner_of(&tk_anthropic(j)->pairing, g);
    return other && group_is_blamed(j, other);
}

/*
 * Returns true if the call isn't in the document (a call in flight): its id isn't ours to change.
 */
static bool is_carried_in(const struct tk_judge *j, uint32_t part)
{
    const struct tk_group *g = tk_group_of(&tk_anthropic(j)->pairing, part);
    const struct tk_group *other = g ? tk_partner_of(&tk_anthropic(j)->pairing, g) : NULL;

    return other && (other->flags & TK_GROUP_CARRIED);
}

static int judge_server_id(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (tk_id_has_form(tk_part_id(j->t, p), &tk_server_id_form) || tk_is_mcp(j->t, p) ||
        pair_is_blamed(j, part) || is_carried_in(j, part))
        return 0;
    return tk_find_part(&j->findings, j->t, TK_CODE_SERVER_TOOL_ID_PATTERN, part);
}

static int judge_part(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (p->kind != TK_PART_CALL && p->kind != TK_PART_RESULT)
        return 0;
    if (p->flags & TK_PART_PROVIDER)
        return judge_server_id(j, part);
    if (tk_id_has_form(tk_part_id(j->t, p), &tk_client_id_form))
        return 0;
    return tk_find_part(&j->findings, j->t, TK_CODE_TOOL_USE_ID_PATTERN, part);
}

int tk_judge_ids(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = judge_part(j, i);
    return r;
}
