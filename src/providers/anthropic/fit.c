/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/fit.h"

#include <errno.h>

#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/state.h"
#include "shapes/blocks.h"

/* ---- entries ---- */

/* A system message belongs to the round that it is in. A user message without parts goes with the results before it: alone it
 * would be refused. */
static enum tk_entry_kind kind(const struct tk_judge *j, uint32_t entry)
{
    const struct tk_message *m = &j->t->messages[entry];

    if (m->role == TK_ROLE_SYSTEM)
        return TK_ENTRY_MIXED;
    if (m->role == TK_ROLE_USER && m->first == TK_NONE)
        return TK_ENTRY_RESULTS;
    return tk_entry_kind_of(j->t, entry, NULL);
}

static bool keeps_round(const struct tk_judge *j, uint32_t entry)
{
    const struct tk_message *m = &j->t->messages[entry];

    for (uint32_t i = m->first; i != TK_NONE; i = j->t->parts[i].next)
        if (j->t->parts[i].block == TK_BLOCK_COMPACTION)
            return true;
    return m->role == TK_ROLE_SYSTEM;
}

/* ---- joins ---- */

/* Joins a part that code of the provider made with the call of that code. */
static int join_caller(struct tk_judge *j, struct tk_joins *joins, const struct tk_part *p)
{
    struct tk_val id = tk_path_get(tk_part_val(p, p->caller), &j->t->shape->caller_id);
    const struct tk_group *g =
        tk_is(id, TK_STRING) ? tk_group_of_id(j, tk_text(id, j->t->arena)) : NULL;
    uint32_t call = g ? tk_call_of(&tk_anthropic(j)->pairing, g->first) : TK_NONE;

    return call == TK_NONE ? 0 : tk_join_entries(joins, p->message, j->t->parts[call].message);
}

static int join_half(struct tk_judge *j, struct tk_joins *joins, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    uint32_t other = tk_other_half(j, part);

    if (other == TK_NONE)
        return p->kind == TK_PART_CALL ? tk_join_entries(joins, p->message, TK_NONE) : 0;
    return tk_join_entries(joins, p->message, j->t->parts[other].message);
}

/* Joins the open tool loop, whose beginning has to stay. */
static int join_loop(struct tk_judge *j, struct tk_joins *joins)
{
    uint32_t opening = tk_anthropic(j)->opening = tk_opening_of_loop(j);

    return opening == TK_NONE ? 0 : tk_join_entries(joins, opening, j->t->last_message);
}

static int join(struct tk_judge *j, struct tk_joins *joins)
{
    const struct tk_transcript *t = j->t;
    int r = tk_judge_provider_pairs(j);

    if (r == 0)
        r = tk_judge_client_pairs(j);
    if (r == 0)
        r = join_loop(j, joins);
    for (uint32_t i = 0; i < t->part_count && r == 0; i++) {
        const struct tk_part *p = &t->parts[i];

        if (tk_is_call(p, true) || tk_is_result(p, true))
            r = join_half(j, joins, i);
        if (r == 0 && p->caller != TK_NO_NODE && tk_is_made_by_code(p))
            r = join_caller(j, joins, p);
    }
    return r;
}

static uint32_t call_of(const struct tk_judge *j, uint32_t entry, uint32_t part)
{
    (void)entry;
    return tk_client_partner(j, part);
}

/* ---- what can be made smaller ---- */

/* A block that refers to a tool, or that citations count, stays. */
static bool may_clear(const struct tk_part *result)
{
    struct tk_val content = tk_part_val(result, result->payload);

    for (struct tk_val v = tk_first(content); tk_is(content, TK_ARRAY) && tk_exists(v);
         v = tk_after(content, v)) {
        struct tk_val type = tk_get(v, TK_STR("type"));

        if (!tk_text_is(type, tk_blocks[TK_BLOCK_TEXT].type) &&
            !tk_text_is(type, tk_blocks[TK_BLOCK_IMAGE].type))
            return false;
    }
    return tk_is(content, TK_ARRAY) || tk_is(content, TK_STRING);
}

/* An empty text between two thinking blocks is allowed only there. */
static bool may_lose_reasoning(struct tk_judge *j, uint32_t entry)
{
    const struct tk_transcript *t = j->t;

    if (entry == tk_anthropic(j)->opening || !tk_may_lose_thinking(j, entry))
        return false;
    for (uint32_t i = t->messages[entry].first; i != TK_NONE; i = t->parts[i].next) {
        struct tk_val text = tk_part_val(&t->parts[i], t->parts[i].payload);

        if (t->parts[i].kind == TK_PART_TEXT && tk_is(text, TK_STRING) && tk_raw(text).n == 0)
            return false;
    }
    return true;
}

static bool is_media(const struct tk_part *p)
{
    return p->block == TK_BLOCK_IMAGE;
}

const struct tk_fit_rules tk_anthropic_fit = {
    .kind = kind,
    .keeps_round = keeps_round,
    .join = join,
    .call_of = call_of,
    .payload = {{"content"}},
    .may_clear = may_clear,
    .write_payload = tk_write_text_payload,
    .is_reasoning = tk_is_thinking,
    .may_lose_reasoning = may_lose_reasoning,
    .reasoning_is_bound = true,
    .is_media = is_media,
};
