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

#include "rules/displaced.h"
#include "rules/edit.h"
#include "rules/judge.h"

struct tk_front;
struct tk_restored;
struct tk_keep;

/*
 * When a fix is made (OPERATIONS.md C.8): first what is done to thinking, in this order and before
 * anything is protected; then, on the outcome, what makes other edits pointless; then all the rest.
 */
enum tk_stage {
    TK_STAGE_RULES,           /* RULES.md sections 3 and 6 */
    TK_STAGE_COMPACTION,      /* messages go that a block stands for */
    TK_STAGE_THINKING_ROUTE,  /* C.7 O2 */
    TK_STAGE_THINKING_MARKER, /* C.5 B5 */
    TK_STAGE_THINKING_SEALED, /* C.3 */
    TK_STAGE_THINKING_ORDER,  /* C.4 */
    TK_STAGE_THINKING_BLOCK,  /* C.5 B1 to B3, B6 */
    TK_STAGE_THINKING_PRIOR,  /* C.7 O1 */
    TK_STAGE_COUNT,
    TK_STAGE_BINDING = TK_STAGE_COUNT, /* C.6: at the end, on what the others made */
};

struct tk_plan {
    struct tk_judge *j;
    struct tk_edits *e;
    bool guard; /* the caller is about to send: the few edits inside the protected turn are made */
    enum tk_stage stage; /* of this round */
    /* fix_thinking.c: up to where a message was searched for its first client call, and that. */
    struct {
        uint32_t message, upto, call;
    } seen;
    struct tk_restored *restored; /* messages as they were before, the newest first; restore.h */
    struct tk_map uses;      /* how many calls and results have an id; filled when first asked */
    struct tk_front *fronts; /* by message, see placing.h */
    uint32_t front_count;
    uint32_t other_turn, last_other; /* see fix_client.c */
    uint32_t placed_turn, last_place;
    uint32_t unloaded_turn, unloaded_behind; /* see fix_results.c */
    struct tk_map renamed; /* this round's new ids of provider-executed calls, by the old one */
    struct tk_str *new_ids;
    uint32_t new_id_count, new_id_capacity;
    /* fix_structure.c: the last system message that was asked about, the message before its run,
     * and what tk_transcript.arrivals was then. */
    struct {
        uint32_t message, before, arrivals;
    } asked;
    /* fix_structure.c: a stretch of user and system messages, from its first turn that was asked
     * about: the user's last message in it, its turn, and after which message the next one goes. */
    struct {
        uint32_t first_turn, user, turn, after;
    } slide;
    struct tk_sight sight; /* fix_text.c: in front of the last blank text */
    struct tk_displaced displaced;
    uint32_t tasks;       /* decided and done, for tk_plan_is_late() */
    struct tk_keep *keep; /* per group, which parts of a repeated id stay; see duplicates.c */
    uint32_t keep_count;
};

static inline bool tk_is_about_thinking(enum tk_stage stage)
{
    return stage >= TK_STAGE_THINKING_ROUTE;
}

/* What a fix would do to a finding's part. */
struct tk_decision {
    enum tk_action action; /* TK_ACTION_NONE: nothing, or nothing is known */
    uint8_t mend;          /* enum tk_mend, where the action is a rewrite of a pair; 0 else */
};

/* Counts a task of a round; true now and then, if the request is out of time. Every loop over
 * findings or edits asks it: then return -ECANCELED. */
bool tk_plan_is_late(struct tk_plan *p);

/* One round of the fixes of a stage. Returns 0, -ENOMEM or -ECANCELED. */
int tk_plan_round(struct tk_plan *p, enum tk_stage stage);

/* One round of what is done for no finding, but because of seals and the policy: the whole of a
 * stage. Returns 0, -ENOMEM or -ECANCELED. */
int tk_plan_own(struct tk_plan *p, enum tk_stage stage, int (*all)(struct tk_plan *p));

/* The action that the policy's base would take if nothing were protected: `needed`. */
enum tk_action tk_plan_needed(struct tk_plan *p, const struct tk_finding *f);

/* ---- fixes of their own ---- */

/* duplicates.c: fills p->keep for this round's groups. Returns 0 or -ENOMEM. */
int tk_plan_duplicates(struct tk_plan *p);
/* Whether a part of a repeated id stays. */
bool tk_keeps(const struct tk_plan *p, uint32_t part, const struct tk_policy *policy);
/* Whether the id's parts give way to those that stay, also where no rule blames them. */
bool tk_gives_way(const struct tk_plan *p, uint32_t group);

/* settle.c: messages without content. All return 0 or -ENOMEM. */
int tk_plan_settle(struct tk_plan *p);
/* The same for one message, that a rule takes for empty. */
int tk_settle(struct tk_plan *p, uint32_t message, enum tk_code code);
/* The text "(empty)" in a message that has to stay. */
int tk_hold_place(struct tk_plan *p, uint32_t message, enum tk_code code);

#endif
