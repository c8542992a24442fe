/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of a repair (OPERATIONS.md C.8). First thinking, until no step of it edits: a message
 * that is dropped can make another turn the newest. Then that turn is protected, and the rules
 * follow until they have nothing left to edit. Their edits may give thinking new work, and so on.
 */
#include "providers/anthropic/steps.h"
#include "engine/merge_messages.h"
#include "engine/pairs/names.h"
#include "engine/protect.h"
#include "engine/repair.h"
#include "providers/anthropic/provider.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/seals/restore.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/thinking/route.h"

static struct tk_anthropic *own(const struct tk_repair *r)
{
    return tk_anthropic(&r->judge);
}

/* Returns the condition for the wire's own shape, false for others: OPERATIONS.md part C is about
 * the wire alone. */
static bool asks(const struct tk_repair *r, bool condition)
{
    return condition && (r->judge.has & TK_HAS_WIRE);
}

static bool asks_for_sealed(const struct tk_repair *r)
{
    return asks(r, own(r)->seals.group_count > 0 && tk_judges_thinking(&r->judge));
}

/* Returns true if there is an error, or the caller asked for edits without one. */
static bool may_edit(const struct tk_repair *r)
{
    const struct tk_provider_policy *policy = tk_own_policy(&r->judge);

    return r->judge.findings.errors > 0 ||
           asks(r, policy->route != TK_ROUTE_NATIVE || policy->prune) || asks_for_sealed(r);
}

static int note_received(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    own(r)->received = own(r)->seals;
    if (r->judge.t->lone_turn)
        tk_protect(r->judge.t);
    return may_edit(r) ? tk_note_names(r->judge.t) : 0;
}

/* ---- thinking ---- */

/*
 * False for a lone signed turn: it must be stored unchanged even if it has faults (PROTOCOL 5.3).
 */
static bool edits_thinking(const struct tk_repair *r)
{
    return !r->judge.t->lone_turn || r->judge.t->protected_message == TK_NONE;
}

static bool has_route(const struct tk_repair *r)
{
    return edits_thinking(r) && (asks(r, tk_own_policy(&r->judge)->route != TK_ROUTE_NATIVE) ||
                                 tk_repair_has_work(r, TK_STAGE_THINKING_ROUTE));
}

static bool has_seals(const struct tk_repair *r)
{
    return edits_thinking(r) &&
           (asks_for_sealed(r) || tk_repair_has_work(r, TK_STAGE_THINKING_SEALED));
}

static bool has_prior(const struct tk_repair *r)
{
    return edits_thinking(r) && (asks(r, tk_own_policy(&r->judge)->prune) ||
                                 tk_repair_has_work(r, TK_STAGE_THINKING_PRIOR));
}

static bool has_markers(const struct tk_repair *r)
{
    return edits_thinking(r) && tk_repair_has_work(r, TK_STAGE_THINKING_MARKER);
}

static bool has_order(const struct tk_repair *r)
{
    return edits_thinking(r) && tk_repair_has_work(r, TK_STAGE_THINKING_ORDER);
}

static bool has_blocks(const struct tk_repair *r)
{
    return edits_thinking(r) && tk_repair_has_work(r, TK_STAGE_THINKING_BLOCK);
}

/* Runs the round of a stage. An edit of it makes the protected turn stale. */
static int thinking_round(struct tk_repair *r, const struct tk_step *step,
                          int (*all)(struct tk_plan *p))
{
    uint32_t before = r->edits.steps;
    int err = all ? tk_repair_own(r, step, all) : tk_repair_round(r, step);

    own(r)->protect_again = own(r)->protect_again || r->edits.steps > before;
    return err;
}

static int drop_for_route(struct tk_repair *r, const struct tk_step *step)
{
    return thinking_round(r, step, tk_drop_for_route);
}

static int fix_thinking(struct tk_repair *r, const struct tk_step *step)
{
    return thinking_round(r, step, NULL);
}

static int fix_sealed(struct tk_repair *r, const struct tk_step *step)
{
    return thinking_round(r, step, tk_mend_sealed);
}

static int prune_prior(struct tk_repair *r, const struct tk_step *step)
{
    return thinking_round(r, step, tk_prune_prior);
}

/* ---- the protected turn and the rules ---- */

static bool is_unprotected(const struct tk_repair *r)
{
    return own(r)->protect_again;
}

static int protect(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    tk_protect(r->judge.t);
    own(r)->protect_again = false;
    return 0;
}

/* Edits of rules can make a message bare, so that a compaction block may take its place. */
static bool has_compaction(const struct tk_repair *r)
{
    return tk_repair_has_work(r, TK_STAGE_COMPACTION);
}

static bool has_rules(const struct tk_repair *r)
{
    return tk_repair_has_work(r, TK_STAGE_RULES);
}

static bool has_history(const struct tk_repair *r)
{
    return !r->judge.t->lone_turn;
}

/* ---- once neither edits ---- */

/* Takes back restorations that were undone, removes dangling citations, and joins neighbours of one
 * role. Judges again if a message changed. */
static int settle(struct tk_repair *r, const struct tk_step *step)
{
    bool merged = false, undone = false;
    int err = tk_restores_settle(&r->edits, &own(r)->seals, own(r)->restored, &undone);

    (void)step;
    if (err == 0)
        err = tk_mend_citations(&r->edits);
    if (err == 0)
        err = tk_merge_neighbours(&r->judge, &r->edits, &merged);
    return err == 0 && (merged || undone) ? tk_judge(&r->judge) : err;
}

/* Judges thinking that is bound to another prefix. Edits of the policy `strip` are edits like
 * others, so thinking and the rules run again after them. */
static int bind(struct tk_repair *r, const struct tk_step *step)
{
    uint32_t before = r->edits.steps;
    int err = tk_judge_binding(&r->judge);

    if (err < 0 || tk_own_policy(&r->judge)->prefix_mismatch != TK_MISMATCH_STRIP)
        return err;
    err = tk_repair_own(r, step, tk_strip_unbound);
    if (err < 0 || r->edits.steps == before)
        return err;
    tk_protect(r->judge.t);
    own(r)->protect_again = true;
    return 0;
}

static bool is_guarding(const struct tk_repair *r)
{
    return r->plan.guard;
}

static int judge_unbound(struct tk_repair *r, const struct tk_step *step)
{
    (void)step;
    return tk_judge_unbound(&r->judge, &r->edits);
}

enum {
    RECEIVED,
    ROUTE,
    MARKER,
    SEALED,
    ORDER,
    BLOCK,
    PRIOR,
    PROTECT,
    COMPACT,
    RULES,
    AGAIN,
    SETTLE,
    BIND,
    UNBOUND,
    SETTINGS,
    END,
};

const struct tk_step tk_anthropic_steps[END + 1] = {
    [RECEIVED] = {"received", NULL, note_received, 0, TK_NO_STEP, 0},
    [ROUTE] = {"route", has_route, drop_for_route, TK_STAGE_THINKING_ROUTE, TK_NO_STEP, 0},
    [MARKER] = {"marker", has_markers, fix_thinking, TK_STAGE_THINKING_MARKER, TK_NO_STEP, 0},
    [SEALED] = {"sealed", has_seals, fix_sealed, TK_STAGE_THINKING_SEALED, TK_NO_STEP, 0},
    [ORDER] = {"order", has_order, fix_thinking, TK_STAGE_THINKING_ORDER, TK_NO_STEP, 0},
    [BLOCK] = {"block", has_blocks, fix_thinking, TK_STAGE_THINKING_BLOCK, TK_NO_STEP, 0},
    [PRIOR] = {"prior", has_prior, prune_prior, TK_STAGE_THINKING_PRIOR, ROUTE, ROUTE},
    [PROTECT] = {"protect", is_unprotected, protect, 0, TK_NO_STEP, 0},
    [COMPACT] = {"compact", has_compaction, tk_repair_round, TK_STAGE_COMPACTION, TK_NO_STEP, 0},
    [RULES] = {"rules", has_rules, tk_repair_round, TK_STAGE_RULES, RULES, RULES},
    [AGAIN] = {"thinking again", has_history, NULL, 0, COMPACT, ROUTE},
    [SETTLE] = {"settle", NULL, settle, 0, SETTLE, ROUTE},
    [BIND] = {"bind", NULL, bind, TK_STAGE_BINDING, BIND, ROUTE},
    [UNBOUND] = {"unbound", is_guarding, judge_unbound, 0, TK_NO_STEP, 0},
    [SETTINGS] = {"settings", NULL, tk_fix_settings, 0, TK_NO_STEP, 0},
    [END] = {0},
};
