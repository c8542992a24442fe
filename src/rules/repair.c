/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/repair.h"

#include <errno.h>

#include "rules/aftermath.h"
#include "rules/binding.h"
#include "rules/fix.h"
#include "rules/names.h"
#include "rules/protect.h"
#include "rules/restore.h"

static bool has_emptied(const struct tk_transcript *t)
{
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        if (t->messages[m].flags & TK_MESSAGE_EMPTIED)
            return true;
    return false;
}

/* Every round removes a violation; the bound only guards against a defect of ours. */
static uint32_t round_limit(const struct tk_transcript *t)
{
    return t->input_parts + t->input_messages + 2;
}

/* What is done for no finding, but because of seals and the policy. */
static int (*const own[TK_STAGE_COUNT])(struct tk_plan *p) = {
    [TK_STAGE_THINKING_ROUTE] = tk_drop_for_route,
    [TK_STAGE_THINKING_SEALED] = tk_mend_sealed,
    [TK_STAGE_THINKING_PRIOR] = tk_prune_prior,
};

/* One round of a stage, on findings that are fresh; *ret_edited: they no longer are. */
static int round_of(struct tk_repair *r, enum tk_stage stage, bool *ret_edited)
{
    uint32_t before = r->edits.steps;
    int err;

    *ret_edited = false;
    if (r->judge.cancelled && r->judge.cancelled(r->judge.cancel_arg))
        return -ECANCELED;
    err = own[stage] ? tk_plan_own(&r->plan, stage, own[stage]) : tk_plan_round(&r->plan, stage);
    *ret_edited = err == 0 && r->edits.steps > before;
    return err;
}

/* OPERATIONS.md part C is about the wire's own shape alone. */
static bool is_asked_for(const struct tk_repair *r, enum tk_stage stage)
{
    const struct tk_policy *policy = r->judge.policy;

    if (!r->judge.t->dialect->wire)
        return false;
    switch (stage) {
    case TK_STAGE_THINKING_ROUTE:
        return policy->route != TK_ROUTE_NATIVE;
    case TK_STAGE_THINKING_SEALED:
        return r->judge.seals.group_count > 0 && tk_judges_thinking(policy);
    case TK_STAGE_THINKING_PRIOR:
        return policy->prune;
    default:
        return false;
    }
}

static bool may_edit(const struct tk_repair *r)
{
    if (r->judge.findings.errors > 0)
        return true;
    for (int stage = TK_STAGE_THINKING_ROUTE; stage < TK_STAGE_COUNT; stage++)
        if (is_asked_for(r, (enum tk_stage)stage))
            return true;
    return false;
}

static bool has_work(const struct tk_repair *r, const struct tk_transcript *t, enum tk_stage stage)
{
    if (is_asked_for(r, stage))
        return true;
    for (int code = 0; code < TK_CODE_COUNT; code++)
        if (tk_rule_fixes[code].stage == stage && r->judge.findings.errors_by_code[code] > 0)
            return true;
    return r->edits.steps > 0 && has_emptied(t);
}

/* What is done to thinking, again and again: a message that went can make another turn the newest.
 */
static int thinking_first(struct tk_repair *r, struct tk_transcript *t, bool *ret_edited)
{
    bool again = true;
    int err = 0;

    *ret_edited = false;
    for (uint32_t n = round_limit(t); n > 0 && again && err == 0; n--) {
        again = false;
        for (int stage = TK_STAGE_THINKING_ROUTE; stage < TK_STAGE_COUNT && err == 0; stage++) {
            bool edited = false;

            if (!has_work(r, t, (enum tk_stage)stage))
                continue;
            err = round_of(r, (enum tk_stage)stage, &edited);
            if (err == 0 && edited)
                err = tk_judge(&r->judge);
            again = again || edited;
        }
        *ret_edited = *ret_edited || again;
    }
    return err;
}

/* Rounds end when there is nothing to mend, or nothing that may be mended. */
static int rules_then(struct tk_repair *r, struct tk_transcript *t, bool *ret_edited)
{
    bool edited = true;
    int err = 0;

    *ret_edited = false;
    if (has_work(r, t, TK_STAGE_COMPACTION)) {
        err = round_of(r, TK_STAGE_COMPACTION, ret_edited);
        if (err == 0 && *ret_edited)
            err = tk_judge(&r->judge);
    }
    for (uint32_t n = round_limit(t); n > 0 && edited && err == 0; n--) {
        if (!has_work(r, t, TK_STAGE_RULES))
            return 0;
        err = round_of(r, TK_STAGE_RULES, &edited);
        if (err == 0 && edited)
            err = tk_judge(&r->judge);
        *ret_edited = *ret_edited || edited;
    }
    return err;
}

/* Whether it is a turn that is stored as it came, whatever is wrong in it (PROTOCOL 5.3). */
static bool stays_as_it_came(struct tk_transcript *t)
{
    if (t->lone_turn)
        tk_protect(t);
    return t->lone_turn && t->protected_message != TK_NONE;
}

/* Thinking, then the rules, on what the other made of it, until neither edits (OPERATIONS.md C.8).
 */
static int both(struct tk_repair *r, struct tk_transcript *t)
{
    bool edited = false;
    int err = stays_as_it_came(t) ? 0 : thinking_first(r, t, &edited);

    if (err == 0)
        tk_protect(t);
    for (uint32_t n = round_limit(t); n > 0 && err == 0; n--) {
        err = rules_then(r, t, &edited);
        if (err < 0 || !edited || t->lone_turn)
            return err;
        err = thinking_first(r, t, &edited);
        if (err < 0 || !edited)
            return err;
        tk_protect(t);
    }
    return err;
}

/* What follows from the edits, once there are no more. */
static int aftermath(struct tk_repair *r)
{
    bool merged = false, undone = false;
    int err = tk_restores_settle(&r->edits, &r->judge.seals, r->plan.restored, &undone);

    if (err == 0)
        err = tk_mend_citations(&r->edits);
    if (err == 0)
        err = tk_merge_neighbours(&r->edits, r->judge.policy, &r->judge.seals, &merged);
    return err == 0 && (merged || undone) ? tk_judge(&r->judge) : err;
}

/* Thinking that is bound to another conversation: what the policy takes out is an edit, too. */
static int bind(struct tk_repair *r, bool *ret_edited)
{
    uint32_t before = r->edits.steps;
    int err = tk_judge_binding(&r->judge);

    *ret_edited = false;
    if (err < 0 || r->judge.policy->prefix_mismatch != TK_MISMATCH_STRIP)
        return err;
    err = tk_plan_own(&r->plan, TK_STAGE_BINDING, tk_strip_unbound);
    *ret_edited = err == 0 && r->edits.steps > before;
    return err == 0 && *ret_edited ? tk_judge(&r->judge) : err;
}

int tk_repair(struct tk_repair *r, struct tk_transcript *t, bool guard)
{
    bool edited = true;
    int err;

    tk_edits_init(&r->edits, t, &r->judge.pairing);
    r->edits.late = r->judge.cancelled;
    r->edits.late_arg = r->judge.cancel_arg;
    r->plan = (struct tk_plan){.j = &r->judge, .e = &r->edits, .guard = guard};
    err = tk_judge(&r->judge);
    r->received = r->judge.seals;
    if (err == 0 && may_edit(r))
        err = tk_note_names(t);
    for (uint32_t n = round_limit(t); n > 0 && edited && err == 0; n--) {
        err = both(r, t);
        if (err == 0)
            err = aftermath(r);
        if (err == 0)
            err = bind(r, &edited);
        if (err == 0 && edited)
            tk_protect(t);
    }
    if (err == 0 && guard)
        err = tk_judge_unbound(&r->judge, &r->edits);
    return err;
}
