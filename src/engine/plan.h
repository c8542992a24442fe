/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Planning: decides for every finding on the edit that the policy wants and protection allows.
 *
 * A pass goes over the findings in report order and makes at most one edit of each part. If an
 * edit causes a new fault (a turn that now ends in thinking, an empty message), the next judging
 * finds it and the next pass fixes it.
 */
#ifndef TK_ENGINE_PLAN_H
#define TK_ENGINE_PLAN_H

#include "engine/edit/edit.h"
#include "engine/judge.h"

/* The stage of fixes that name no other: those of the ordinary rules. A provider numbers its other
 * stages from here. */
enum {
    TK_STAGE_RULES,
};

struct tk_plan {
    struct tk_judge *j;
    struct tk_edits *e;
    /* the caller is about to send: make the few edits that are allowed in the protected turn */
    bool guard;
    uint8_t stage;    /* of the current round */
    uint32_t company; /* the message with parts that runs.c found last */
    /* the run, plus one, in which runs.c found none, and how many edits there were then */
    uint32_t lonely, lonely_steps;
    uint32_t tasks; /* tasks decided or run; for tk_plan_is_late() */
    size_t made;    /* bytes of the arena when it asked last */
    bool knows_held;
    struct tk_map
        held; /* ids and names in protected messages that surrogates/ must not mend elsewhere */
};

/* The edit that a fix wants for a finding. */
struct tk_decision {
    enum tk_action action; /* TK_ACTION_NONE: no edit is wanted, or none is known */
    /* the provider's number of the rewrite, if the action is a rewrite of a pair; else 0 */
    uint8_t mend;
};

/* Counts a task of a round. Returns true if the request is out of time, which it checks only now
 * and then. Every loop over findings or edits calls it and returns -ECANCELED if it is true. */
bool tk_plan_is_late(struct tk_plan *p);

/*
 * How the edits of a stage are made. One pass decides on all findings before its first edit. A
 * provider's rules are repaired in one of two orders (PROVIDERS.md 2, RULES.md 6):
 *
 *     in rounds     one pass for the findings of all checks, and the work around a round: emptied messages
 *                   are dropped or filled, and fixes that wait act only if nothing else was edited
 *     one by one    one pass for the findings of each check, judged on the history as the passes before it
 *                   left it; the fixes look after what they empty
 */
struct tk_pass {
    uint8_t stage;
    bool one_by_one;
    /* makes the edits in place of fixes, if they follow from seals and the policy instead of findings;
     * NULL: the fixes make them. Returns 0, -ENOMEM or -ECANCELED. */
    int (*all)(struct tk_plan *p);
};

/* Runs one pass over the findings as they are. Returns 0, -ENOMEM or -ECANCELED. */
int tk_plan_run(struct tk_plan *p, const struct tk_pass *pass);

/* Returns the action that the policy's base would take if nothing were protected: `needed`. */
enum tk_action tk_plan_needed(struct tk_plan *p, const struct tk_finding *f);

#endif
