/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixes: the edits that repair makes for a finding. The provider's table has a row for each code;
 * the functions are in fix.c of the code's area (client_pairs/fix.c ...).
 *
 *     want()  returns the edit that the policy wants, or none
 *     act()   makes that edit and writes its line of the report
 *     reach   where the protected turn forbids the edit (RULES.md section 3)
 *     stage   the stage of the repair in which it is made (plan.h)
 *
 * A finding is fixed only if it is an error and its code has a row. No edit fixes the other codes.
 */
#ifndef TK_ENGINE_FIX_H
#define TK_ENGINE_FIX_H

#include "engine/plan.h"

enum tk_reach {
    TK_REACH_PART, /* except in the protected turn */
    TK_REACH_PAIR, /* and except if the call or result that it belongs to is in it */
    /* in guard mode also in the protected turn: an exception of RULES.md section 3 */
    TK_REACH_GUARD,
    TK_REACH_OWN,      /* the fix's own function `may` decides */
    TK_REACH_ANYWHERE, /* also in the protected turn, or the edit is made elsewhere */
};

/* When a fix acts in its pass. */
enum tk_order {
    TK_ORDER_PLAIN,
    TK_ORDER_MOVE_FIRST, /* its moves come before all other edits of the pass; the rest is plain */
    /* It waits for a pass without other edits, because those may remove the fault: a caller that
     * becomes unambiguous when an older use of its id is dropped, a turn that gets a text at its end. */
    TK_ORDER_LAST,
};

struct tk_rule_fix {
    uint8_t stage;
    enum tk_order order;
    enum tk_action action; /* the action under every policy, if `want` is NULL */
    struct tk_decision (*want)(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);
    int (*act)(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
    enum tk_reach reach;
    /* TK_REACH_OWN: returns true if the protected turn allows the edit. */
    bool (*may)(const struct tk_plan *p, const struct tk_finding *f);
    bool always; /* act() is called even if want() wants no edit */
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

/* Returns the edit that a policy wants, whether the protected turn allows it or not. */
struct tk_decision tk_fix_by(struct tk_plan *p, const struct tk_finding *f,
                             const struct tk_policy *policy);

/* Returns true if the protected turn forbids every edit for the finding. */
bool tk_is_forbidden(const struct tk_plan *p, const struct tk_finding *f);

/* Returns the edit that the policy wants and the protected turn allows. */
struct tk_decision tk_fix_wanted(struct tk_plan *p, const struct tk_finding *f);

/* Returns true if the message's turn has signed thinking, whether it is the newest turn or not. */
bool tk_turn_is_signed(const struct tk_transcript *t, uint32_t message);

static inline bool tk_is_edited(const struct tk_plan *p, uint32_t part)
{
    return (p->j->t->parts[part].flags & TK_PART_EDITED) != 0;
}

/* Drops the part. */
int tk_fix_drop(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
