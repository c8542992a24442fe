/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planning: for every finding the edit that the policy wants and protection allows.
 *
 * A round goes over the findings in report order and makes at most one edit a part. What an edit
 * causes (a turn that now ends in thinking, a message that is empty) the next judging finds, and
 * the next round mends.
 */
#ifndef TK_RULES_PLAN_H
#define TK_RULES_PLAN_H

#include "rules/edit/edit.h"
#include "rules/judge.h"

struct tk_leading_results;

/* The stage of the fixes that belong to no other: the rules proper. A provider numbers its other
 * stages from here. */
enum {
    TK_STAGE_RULES,
};

struct tk_plan {
    struct tk_judge *j;
    struct tk_edits *e;
    bool guard; /* the caller is about to send: the few edits inside the protected turn are made */
    uint8_t stage;                      /* of this round */
    struct tk_leading_results *leading; /* by message, see pairs/insert_point.h */
    uint32_t leading_count;
    uint32_t tasks; /* decided and done, for tk_plan_is_late() */
};

/* What a fix would do to a finding's part. */
struct tk_decision {
    enum tk_action action; /* TK_ACTION_NONE: nothing, or nothing is known */
    uint8_t mend;          /* enum tk_mend, where the action is a rewrite of a pair; 0 else */
};

/* Counts a task of a round; true now and then, if the request is out of time. Every loop over
 * findings or edits asks it: then return -ECANCELED. */
bool tk_plan_is_late(struct tk_plan *p);

/* One round of the fixes of a stage. Returns 0, -ENOMEM or -ECANCELED. */
int tk_plan_round(struct tk_plan *p, uint8_t stage);

/* One round of what is done for no finding, but because of seals and the policy: the whole of a
 * stage. Returns 0, -ENOMEM or -ECANCELED. */
int tk_plan_own(struct tk_plan *p, uint8_t stage, int (*all)(struct tk_plan *p));

/* The action that the policy's base would take if nothing were protected: `needed`. */
enum tk_action tk_plan_needed(struct tk_plan *p, const struct tk_finding *f);

/* ---- fixes of their own ---- */

/* rules/empty_messages.c: messages without content. All return 0 or -ENOMEM. */
int tk_plan_settle(struct tk_plan *p);
/* The same for one message, that a rule takes for empty. */
int tk_settle(struct tk_plan *p, uint32_t message, uint16_t code);
/* The text "(empty)" in a message that has to stay. */
int tk_hold_place(struct tk_plan *p, uint32_t message, uint16_t code);

#endif
