/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs provider-executed pairs (RULES.md sections 2 and 5). */
#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/provider_pairs/keep.h"
#include "providers/anthropic/provider_pairs/mend.h"
#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/text/as_text.h"
#include "providers/anthropic/text/move_text.h"
#include "shapes/shape.h"
#include "value/unicode.h"

/* ---- the pair of a finding ---- */

static const struct tk_group *group_of(const struct tk_plan *p, uint32_t part)
{
    return tk_group_of(&tk_anthropic(p->j)->pairing, part);
}

/* Finds the call and the result of a part's pair, in whatever turns they are; TK_NONE for a half
 * that is absent. */
static void pair_of(const struct tk_plan *p, uint32_t part, uint32_t *ret_call,
                    uint32_t *ret_result)
{
    const struct tk_group *g = group_of(p, part);
    const struct tk_group *other = g ? tk_partner_of(&tk_anthropic(p->j)->pairing, g) : NULL;

    *ret_call = g ? g->call : TK_NONE;
    *ret_result = g ? g->result : TK_NONE;
    if (other && *ret_call == TK_NONE)
        *ret_call = other->call;
    if (other && *ret_result == TK_NONE)
        *ret_result = other->result;
}

/* ---- what the policy wants ---- */

static struct tk_decision flatten(const struct tk_plan *p, uint32_t part)
{
    return (struct tk_decision){p->j->t->parts[part].kind == TK_PART_CALL ? TK_ACTION_DROP
                                                                          : TK_ACTION_TEXTIFY,
                                TK_MEND_NONE};
}

/* Returns the call that this result, in a user message, would complete: it must be in the turn
 * right before, and that turn unsigned. TK_NONE: there is none. */
static uint32_t home_of(const struct tk_plan *p, uint32_t part)
{
    const struct tk_group *g = group_of(p, part);

    if (!g || g->outside != part)
        return TK_NONE;
    return tk_turn_is_signed(p->j->t, p->j->t->parts[g->call].message) ? TK_NONE : g->call;
}

struct tk_decision tk_want_outside(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    uint32_t part = f->site.part;
    if (policy->preserve && home_of(p, part) != TK_NONE)
        return (struct tk_decision){TK_ACTION_MOVE, TK_MEND_NONE};
    return flatten(p, part);
}

struct tk_decision tk_want_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    uint32_t part = f->site.part;
    if (policy->duplicate_id == TK_FIX_REPORT || tk_keeps(p, part, policy))
        return tk_no_edit();
    return flatten(p, part);
}

/* Returns true if a call could be sent with an error result, as it is or after a small rewrite. */
static bool deserves_answer(struct tk_plan *p, uint32_t call, const struct tk_policy *policy)
{
    const struct tk_part *c = &p->j->t->parts[call];

    if (!tk_has_error_result(p->j->t, c))
        return false;
    return tk_call_is_good(p->j, c) ||
           (policy->invalid_pair == TK_FIX_REPAIR &&
            tk_mend_of(p->j, TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_CALL, call, call) !=
                TK_MEND_NONE);
}

static int count_uses(struct tk_plan *p)
{
    struct tk_transcript *t = p->j->t;

    for (uint32_t i = 0; i < t->part_count; i++) {
        const struct tk_part *x = &t->parts[i];
        uint32_t *uses;
        bool fresh;

        if ((x->kind != TK_PART_CALL && x->kind != TK_PART_RESULT) || x->flags & TK_PART_REMOVED)
            continue;
        uses = tk_map_put(&tk_anthropic(p->j)->round.uses, tk_part_id(t, x), &fresh);
        if (!uses)
            return -ENOMEM;
        ++*uses;
    }
    return 0;
}

/* Returns true if no other call or result of the history has the part's id, whoever runs it. */
static bool is_alone(struct tk_plan *p, uint32_t part)
{
    uint32_t *uses;

    if (tk_anthropic(p->j)->round.uses.count == 0 && count_uses(p) < 0)
        return false;
    uses = tk_map_get(&tk_anthropic(p->j)->round.uses, tk_part_id(p->j->t, &p->j->t->parts[part]));
    return uses && *uses == 1;
}

struct tk_decision tk_want_orphan_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    uint32_t part = f->site.part;
    const struct tk_group *g = group_of(p, part);
    bool in_signed = tk_turn_is_signed(p->j->t, p->j->t->parts[part].message);

    if (policy->orphan_call == TK_FIX_REPORT)
        return tk_no_edit();
    /* The result moves to this call in the same repair. */
    if (policy->preserve && g && g->outside != TK_NONE && !in_signed)
        return tk_no_edit();
    if (policy->orphan_call == TK_FIX_ERROR_RESULT && !in_signed && is_alone(p, part) &&
        deserves_answer(p, part, policy))
        return (struct tk_decision){TK_ACTION_INSERT_RESULT, TK_MEND_NONE};
    return (struct tk_decision){TK_ACTION_DROP, TK_MEND_NONE};
}

struct tk_decision tk_want_orphan_result(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return (struct tk_decision){policy->orphan_result == TK_FIX_REPORT ? TK_ACTION_NONE
                                : policy->orphan_result == TK_FIX_DROP ? TK_ACTION_DROP
                                                                       : TK_ACTION_TEXTIFY,
                                TK_MEND_NONE};
}

struct tk_decision tk_want_before_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    uint32_t part = f->site.part;
    if (policy->result_before_call == TK_FIX_REPORT)
        return tk_no_edit();
    if (policy->result_before_call == TK_FIX_TEXTIFY)
        return flatten(p, part);
    if (p->j->t->parts[part].kind == TK_PART_CALL)
        return tk_no_edit();
    return (struct tk_decision){TK_ACTION_MOVE, TK_MEND_NONE};
}

struct tk_decision tk_want_valid_pair(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy)
{
    uint32_t part = f->site.part;
    bool is_call = p->j->t->parts[part].kind == TK_PART_CALL;
    uint32_t call, result;
    enum tk_mend mend;

    if (policy->invalid_pair == TK_FIX_REPORT)
        return tk_no_edit();
    pair_of(p, part, &call, &result);
    if (policy->invalid_pair == TK_FIX_TEXTIFY || result == TK_NONE)
        return flatten(p, part);
    mend = tk_mend_of(p->j, f->code, call, result);
    if (mend == TK_MEND_NONE)
        return flatten(p, part);
    return tk_mends_call(mend) == is_call ? (struct tk_decision){TK_ACTION_REWRITE, (uint8_t)mend}
                                          : tk_no_edit();
}

/* ---- the edits ---- */

/*
 * Returns the last message of the assistant turn right before a part's user turn, if a text may be
 * added to it; else TK_NONE. The text of a result in a system message stays where the result was.
 */
static uint32_t message_for_text(const struct tk_plan *p, uint32_t part)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_message *m = &t->messages[t->parts[part].message];
    uint32_t turn = m->turn;

    if (m->role != TK_ROLE_USER || turn == TK_NONE || turn == 0 ||
        t->turns[turn - 1].role != TK_ROLE_ASSISTANT ||
        !(t->turns[turn - 1].flags & TK_TURN_HAS_PARTS) ||
        (t->turns[turn - 1].flags & TK_TURN_SIGNED) ||
        !tk_takes_parts(&t->messages[t->turns[turn - 1].last]))
        return TK_NONE;
    return t->turns[turn - 1].last;
}

static int textify(struct tk_plan *p, uint32_t part, uint16_t code)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_message *m = &t->messages[t->parts[part].message];
    struct tk_str text = tk_textify(p->j, part);
    uint32_t target;

    if (tk_is_blank(text))
        return tk_edit_drop(p->e, part, code);
    if (m->role == TK_ROLE_ASSISTANT)
        return tk_edit_textify(p->e, part, code, text);
    target = message_for_text(p, part);
    if (target != TK_NONE)
        return tk_textify_into(p->e, part, code, text, target, t->messages[target].last);
    if ((m->flags & TK_MESSAGE_TOOL) && tk_adapter_of(t->shape)->bare_tool_messages)
        return tk_textify_after(p->e, part, code, text);
    return tk_edit_textify(p->e, part, code, text);
}

static int rewrite(struct tk_plan *p, const struct tk_finding *f, uint8_t mend)
{
    uint32_t call, result;
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    if (r < 0)
        return r;
    pair_of(p, f->site.part, &call, &result);
    return tk_mend(p->j, p->e, (enum tk_mend)mend, f->site.part, call);
}

int tk_fix_caller(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_remove(p->e, f->site.part, &p->j->t->shape->caller);
}

static int move(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_group *g = group_of(p, f->site.part);

    /* If the call is gone, or another rule took it in this round, the next round sees a result
     * without a call. */
    if (!g || g->call == TK_NONE || (p->j->t->parts[g->call].flags & TK_PART_REMOVED))
        return 0;
    return tk_edit_move(p->e, f->site.part, f->code, p->j->t->parts[g->call].message, g->call);
}

int tk_fix_pair(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint16_t code = f->code;

    switch (d.action) {
    case TK_ACTION_DROP:
        return tk_edit_drop(p->e, f->site.part, code);
    case TK_ACTION_TEXTIFY:
        return textify(p, f->site.part, code);
    case TK_ACTION_MOVE:
        return move(p, f);
    case TK_ACTION_INSERT_RESULT:
        return tk_edit_error_result(p->e, f->site.part, code,
                                    tk_result_type_of_call(p->j->t, &p->j->t->parts[f->site.part]));
    case TK_ACTION_REWRITE:
        return rewrite(p, f, d.mend);
    default:
        return 0;
    }
}

/* Flattens the parts of older turns that use an id which another turn keeps, blamed or not. */
static int give_way(struct tk_plan *p, uint32_t part)
{
    const struct tk_group *groups = tk_anthropic(p->j)->pairing.groups;
    const struct tk_group *newest = group_of(p, part);
    int r = 0;

    if (!newest || p->j->policy->duplicate_id == TK_FIX_REPORT)
        return 0;
    for (uint32_t group = newest->earlier; group != TK_NONE && r == 0;
         group = groups[group].earlier) {
        /* A call in flight when the document begins has no parts here. */
        if (groups[group].first == TK_NONE || !tk_gives_way(p, group) ||
            tk_is_edited(p, groups[group].first))
            return r;
        for (uint32_t i = groups[group].first; i != TK_NONE && r == 0;) {
            struct tk_finding f = {.site = tk_site_of(p->j->t->parts[i].message, i),
                                   .code = TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID};
            uint32_t next = tk_group_next(&tk_anthropic(p->j)->pairing, i);

            if (!tk_is_edited(p, i))
                r = tk_fix_pair(p, &f, flatten(p, i));
            i = next;
        }
    }
    return r;
}

int tk_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = give_way(p, f->site.part);

    return r < 0 ? r : tk_fix_pair(p, f, d);
}
