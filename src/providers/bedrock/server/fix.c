/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs calls and results of the provider's own tools (PROVIDERS.md 6.2). */
#include <errno.h>

#include "engine/fix.h"
#include "engine/protect.h"
#include "providers/bedrock/rules.h"
#include "shapes/shape.h"

static struct tk_decision flatten(const struct tk_plan *p, uint32_t part)
{
    return tk_edit_by(p->j->t->parts[part].kind == TK_PART_CALL ? TK_ACTION_DROP
                                                                : TK_ACTION_TEXTIFY);
}

struct tk_decision tk_brk_want_flat(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy)
{
    (void)policy;
    return flatten(p, f->site.part);
}

/* Returns true for the first call that has a result after it, and for that result. */
static bool is_first_pair(const struct tk_plan *p, uint32_t part)
{
    const struct tk_brk_group *g = tk_brk_group_of(p->j, part);

    return g && g->answer != TK_NONE && (part == g->call || part == g->answer);
}

struct tk_decision tk_brk_want_no_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy)
{
    if (policy->duplicate_id == TK_FIX_REPORT ||
        (policy->duplicate_id == TK_FIX_KEEP_FIRST && is_first_pair(p, f->site.part)))
        return tk_no_edit();
    return flatten(p, f->site.part);
}

/* ---- a call alone ---- */

static int count_uses(struct tk_plan *p, struct tk_map *uses)
{
    const struct tk_transcript *t = p->j->t;

    for (uint32_t i = 0; i < t->part_count; i++) {
        const struct tk_part *x = &t->parts[i];
        uint32_t *n;
        bool fresh;

        if ((x->kind != TK_PART_CALL && x->kind != TK_PART_RESULT) || x->flags & TK_PART_REMOVED)
            continue;
        n = tk_map_put(uses, tk_part_id(t, x), &fresh);
        if (!n)
            return -ENOMEM;
        ++*n;
    }
    return 0;
}

/* Returns true if no other call or result has the id of the call, which isn't empty. */
static bool is_alone(struct tk_plan *p, uint32_t call)
{
    struct tk_map *uses = &tk_bedrock(p->j)->round.uses;
    struct tk_str id = tk_part_id(p->j->t, &p->j->t->parts[call]);
    uint32_t *n;

    if (uses->count == 0 && count_uses(p, uses) < 0)
        return false;
    n = tk_map_get(uses, id);
    return id.n > 0 && n && *n == 1;
}

/* Returns the type of an error result of the tool; `.p == NULL`: it isn't known. */
static struct tk_str error_type(const struct tk_plan *p, uint32_t call)
{
    struct tk_str name = tk_part_name(p->j->t, &p->j->t->parts[call]);

    if (tk_str_is(name, "nova_grounding"))
        return TK_STR("nova_grounding_result");
    return tk_str_is(name, "nova_code_interpreter") ? TK_STR("nova_code_interpreter_result")
                                                    : (struct tk_str){0};
}

/* Returns true if a block of the call's message is signed. Looks at a message once a round. */
static bool is_in_signed(struct tk_plan *p, uint32_t call)
{
    struct tk_brk_round *round = &tk_bedrock(p->j)->round;
    uint32_t message = p->j->t->parts[call].message;

    if (round->asked != message)
        round->is_signed = tk_brk_is_signed(p->j->t, message);
    round->asked = message;
    return round->is_signed;
}

struct tk_decision tk_brk_want_orphan_call(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy)
{
    if (policy->orphan_call == TK_FIX_REPORT)
        return tk_no_edit();
    if (policy->orphan_call == TK_FIX_ERROR_RESULT && error_type(p, f->site.part).p &&
        !is_in_signed(p, f->site.part) && is_alone(p, f->site.part))
        return tk_edit_by(TK_ACTION_INSERT_RESULT);
    return tk_edit_by(TK_ACTION_DROP);
}

/* ---- results ---- */

struct tk_decision tk_brk_want_orphan_result(struct tk_plan *p, const struct tk_finding *f,
                                             const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    if (policy->orphan_result == TK_FIX_REPORT)
        return tk_no_edit();
    return tk_edit_by(policy->orphan_result == TK_FIX_DROP ? TK_ACTION_DROP : TK_ACTION_TEXTIFY);
}

struct tk_decision tk_brk_want_in_order(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    if (policy->result_before_call == TK_FIX_REPORT)
        return tk_no_edit();
    return policy->result_before_call == TK_FIX_MOVE ? tk_edit_by(TK_ACTION_MOVE)
                                                     : flatten(p, f->site.part);
}

/* ---- the edits ---- */

/* Moves a result directly after its call; the call of the pair stays. */
static int move(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_brk_group *g = tk_brk_group_of(p->j, f->site.part);

    if (!g || g->call == f->site.part)
        return 0;
    return tk_edit_move(p->e, f->site.part, f->code, g->message, g->call);
}

int tk_brk_fix_server(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    switch (d.action) {
    case TK_ACTION_DROP:
        return tk_edit_drop(p->e, f->site.part, f->code);
    case TK_ACTION_MOVE:
        return move(p, f);
    case TK_ACTION_INSERT_RESULT:
        return tk_edit_error_result(p->e, f->site.part, f->code, error_type(p, f->site.part));
    default:
        return tk_brk_textify(p, f->site.part, f->code);
    }
}
