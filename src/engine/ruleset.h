/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of a provider that the engine uses: tables and functions that say which faults there are and how each is
 * fixed. The engine judges, plans, edits and reports by them and knows no provider; struct tk_provider of
 * providers/provider.h contains one.
 */
#ifndef TK_ENGINE_RULESET_H
#define TK_ENGINE_RULESET_H

#include "catalogue/rule.h"
#include "engine/edit/edit.h"
#include "engine/target.h"
#include "value/str.h"

struct tk_finding;
struct tk_judge;
struct tk_part;
struct tk_plan;
struct tk_repair;
struct tk_rule_fix;
struct tk_shape;

/* Facts that a check can need in order to run (`has` of struct tk_judge). */
enum {
    TK_HAS_WIRE = 1 << 0,    /* the messages have the provider's own shape */
    TK_HAS_HISTORY = 1 << 1, /* more than one turn: absent in repair_turn */
    TK_HAS_HEADER = 1 << 2,  /* the values of the request's header are known */
    TK_HAS_REQUEST = 1 << 3, /* the whole body was sent, not the messages alone */
};

/* A check finds the faults of one area. */
struct tk_check {
    const char *name;                /* name of the area, for figures of what each check costs */
    int (*find)(struct tk_judge *j); /* Returns 0, -ENOMEM or -ECANCELED. */
    uint8_t needs;                   /* TK_HAS_* bits: the check runs only if all of them are set */
};

/* A step of a repair; repair.c says how steps follow each other. */
struct tk_step {
    const char *name;
    bool (*due)(const struct tk_repair *r); /* NULL: the step is always due */
    /* Makes the step's edits. Returns 0, -ENOMEM or -ECANCELED. NULL: the step only jumps. */
    int (*run)(struct tk_repair *r, const struct tk_step *step);
    uint8_t stage; /* stage of the fixes that its round makes */
    uint8_t since; /* if anything was edited since this step began ... */
    uint8_t to;    /* ... the repair continues with this one; `since` == TK_NO_STEP: never */
};

enum {
    TK_MAX_STEPS = 16,
    TK_NO_STEP = 255,
};

/* A key of the policy or a member of the request that turns something into an error, or a member that
 * is missing. The way out is then to change it (way_out.h). */
struct tk_cause {
    uint16_t code;
    bool (*is_cause)(struct tk_plan *p, const struct tk_finding *f);
    struct tk_str sentence;
};

/*
 * Only `shapes`, `checks`, `fixes` and `steps` are needed, and `settle` if messages have lists of parts, which an
 * edit can empty. What is NULL isn't done.
 */
struct tk_ruleset {
    const struct tk_shape *const *shapes; /* the first is the provider's own; ended by NULL */

    /* ---- judging ---- */
    const struct tk_check *checks; /* in the order in which they run; ended by `.name == NULL` */
    /* Returns the other half of the pair of a call or result, the client's or the provider's; TK_NONE: it has
     * none. */
    uint32_t (*partner)(const struct tk_judge *j, uint32_t part);
    /* Returns true for a provider-executed call whose result comes in a later turn. NULL: the provider
     * carries no calls from turn to turn. */
    bool (*is_in_flight)(const struct tk_judge *j, uint32_t part);
    /* Return the name of a call's or result's tool, in the history as it is now and as it was sent. `.p == NULL`:
     * nothing tells it. NULL: tk_tool_label() does. */
    struct tk_str (*tool)(const struct tk_judge *j, const struct tk_part *part);
    struct tk_str (*sent_tool)(const struct tk_judge *j, const struct tk_part *part);
    /* Creates the provider's own state, `j->own`. Returns 0 or -ENOMEM. */
    int (*begin)(struct tk_judge *j);
    /* Looks at a history before its checks run, for the first time and after every change, so that
     * checks without work cost nothing. Returns 0 or -ENOMEM. */
    int (*survey)(struct tk_judge *j);
    /* Reads what the judge's target says to this provider's rules. */
    void (*take_target)(struct tk_judge *j);
    /* Copies what came with the request from the judge of another history of the same request. */
    void (*inherit)(struct tk_judge *j, const struct tk_judge *from);
    /* Marks what of the history is protected (engine/protect.h), for a provider that doesn't protect the
     * newest assistant turn. */
    void (*protect)(struct tk_judge *j);
    /* Judges, for `validate`, the faults that a repair judges in a step of its own. Returns what
     * tk_judge() does. */
    int (*judge_last)(struct tk_judge *j);

    /* ---- repairing ---- */
    const struct tk_rule_fix *fixes; /* by code */
    const struct tk_step *steps;     /* at most TK_MAX_STEPS; ended by `.name == NULL` */
    const struct tk_cause *causes;   /* ended by `.is_cause == NULL` */
    /* Called before an edit takes a part out of the history, or turns it into a text. Returns 0 or -ENOMEM. */
    int (*part_goes)(struct tk_edits *e, uint32_t part, enum tk_action action);
    /* Returns the encoded cache marker of a part, which a text in its place keeps; `.p == NULL`: it has none. */
    struct tk_str (*marker)(const struct tk_transcript *t, uint32_t part);
    /* Called before and after each round of fixes. Return 0 or -ENOMEM. */
    int (*begin_round)(struct tk_plan *p);
    int (*end_round)(struct tk_plan *p);
    /* Sees to messages that a round's edits emptied, and to texts that have to go elsewhere. Returns
     * 0, -ENOMEM or -ECANCELED. tk_settle_runs() of engine/runs.h is one such function. */
    int (*settle)(struct tk_plan *p);
    /* Returns the text that replaces a result whose structure can't stay; blank if it has none; `.p
     * == NULL` when out of memory. */
    struct tk_str (*as_text)(struct tk_judge *j, uint32_t result);
    /* codes of messages that an edit emptied, of the user and of others; needed by tk_settle_runs() */
    uint16_t emptied_user, emptied_other;
    uint16_t joined; /* code of messages that are merged; needed if a step merges them */
    /* Returns true if the message may be merged with its neighbours. */
    bool (*may_join)(const struct tk_judge *j, uint32_t message);
    /* Returns true if a rule asks that the message is merged into the one before it, under any policy. Called if an
     * error has the code `joined`. */
    bool (*must_join)(const struct tk_judge *j, uint32_t message);
    /* Prepares each of two messages that are merged. Returns 0 or -ENOMEM. */
    int (*before_join)(struct tk_edits *e, uint32_t message);
};

#endif
