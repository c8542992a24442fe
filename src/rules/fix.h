/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixes: what repair does about a finding. One row per code, in fixes.c; the functions stand in the
 * file of their area (provider_pairs/fix.c, client_pairs/fix.c, ...).
 *
 *     want()  what the policy says: no edit, or which
 *     act()   makes that edit and its line of the report
 *     reach   which part of it the protected turn forbids (RULES.md section 3)
 *     stage   when it is its turn (plan.h)
 *
 * A code without a row is never edited: warnings, and what no edit mends.
 */
#ifndef TK_RULES_FIX_H
#define TK_RULES_FIX_H

#include "rules/plan.h"

enum tk_reach {
    TK_REACH_PART,     /* not in the protected turn */
    TK_REACH_PAIR,     /* nor where the other half of the provider-executed pair is in it */
    TK_REACH_CLIENT,   /* nor where the call or result that it belongs to is in it */
    TK_REACH_GUARD,    /* in guard mode also there: an exception of RULES.md section 3 */
    TK_REACH_OWN,      /* the fix's own function `may` says it */
    TK_REACH_ANYWHERE, /* also there; or the edit is made elsewhere */
};

struct tk_rule_fix {
    uint8_t stage;
    enum tk_action action; /* what is wanted whatever the policy, where `want` is NULL */
    struct tk_decision (*want)(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);
    int (*act)(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
    enum tk_reach reach;
    /* What other edits may clear up by themselves waits for a round that makes none of them: a
     * caller that is in flight once an older use of its id is gone, a turn that gets a text at its
     * end. */
    bool waits;
    /* TK_REACH_OWN: true if the protected turn allows the edit. */
    bool (*may)(const struct tk_plan *p, const struct tk_finding *f);
    bool always; /* act() is called even if want() wants nothing */
};

/* ---- for the files of fixes ---- */

static inline struct tk_decision tk_no_edit(void)
{
    return (struct tk_decision){TK_ACTION_NONE, 0};
}

static inline struct tk_decision tk_edit_by(enum tk_action action)
{
    return (struct tk_decision){action, 0};
}

/* Returns what a policy wants, whether protection allows it or not. */
struct tk_decision tk_fix_by(struct tk_plan *p, const struct tk_finding *f,
                             const struct tk_policy *policy);

/* Returns true if the protected turn forbids every edit for the finding. */
bool tk_is_forbidden(const struct tk_plan *p, const struct tk_finding *f);

/* What the policy wants and protection allows. */
struct tk_decision tk_fix_wanted(struct tk_plan *p, const struct tk_finding *f);

/* A turn with signed thinking, newest or not. */
bool tk_turn_is_signed(const struct tk_transcript *t, uint32_t message);

static inline bool tk_is_edited(const struct tk_plan *p, uint32_t part)
{
    return (p->j->t->parts[part].flags & TK_PART_EDITED) != 0;
}

/* Drops the part. */
int tk_fix_drop(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
