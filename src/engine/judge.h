/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judging: runs the checks of every area over a transcript. It adds findings and changes nothing
 * else; a repair judges, edits, and judges again.
 */
#ifndef TK_ENGINE_JUDGE_H
#define TK_ENGINE_JUDGE_H

#include "engine/finding.h"
#include "engine/policy.h"
#include "engine/ruleset.h"
#include "engine/target.h"

struct tk_judge {
    struct tk_transcript *t;
    const struct tk_ruleset *rules; /* the provider's */
    const struct tk_policy *policy;
    const struct tk_request_view *request; /* the request's other members; never NULL */
    struct tk_target target;
    bool (*cancelled)(void *arg); /* may be NULL; called now and then */
    void *cancel_arg;
    /*
     * In a lone turn (repair_turn) no later message tells whether its open calls are in flight: its
     * stop reason does, and then this is true.
     */
    bool open_calls_stay;
    const struct tk_str *carried; /* ids of calls in flight that came with the request */
    uint32_t carried_count;

    uint8_t has;    /* TK_HAS_* bits: what came with the messages */
    uint64_t found; /* tk_check_bit()s of the checks that found something in the last judging */

    struct tk_findings findings;
    void *own; /* the provider's own state */
};

/* Initialises a judge, for a history without a body. Returns 0 or -ENOMEM. */
int tk_judge_init(struct tk_judge *j, struct tk_transcript *t, const struct tk_ruleset *rules,
                  const struct tk_policy *policy);

/* Takes the rest of the request and where it goes, before anything is judged. `request` must
 * outlive the judge. */
void tk_judge_take_request(struct tk_judge *j, const struct tk_request_view *request,
                           const struct tk_target *target);

/* Copies the time limit and what came with the request from the judge of another history of the
 * same request. */
void tk_judge_inherit(struct tk_judge *j, const struct tk_judge *from);

/*
 * Judges the transcript as it is now. Returns 0, -ENOMEM, or -ECANCELED if the callback returned
 * true. Findings are valid only after 0, and until the transcript changes.
 */
int tk_judge(struct tk_judge *j);

/* Marks what of the history is protected, after its turns are known (protect.h). */
void tk_judge_protect(struct tk_judge *j);

/* Returns the bit of a check by its index. All checks from the 64th on share one. */
static inline uint64_t tk_check_bit(size_t check)
{
    return (uint64_t)1 << (check < 63 ? check : 63);
}

/* Do the steps of tk_judge(): the preparation, then each check. Both return what tk_judge()
 * does. */
int tk_judge_begin(struct tk_judge *j);
int tk_judge_check(struct tk_judge *j, const struct tk_check *check);

/* Returns true if the request is out of time. */
bool tk_judge_is_late(const struct tk_judge *j);

/* Returns tk_judge_is_late() for every few hundredth step, false for the others. */
bool tk_judge_cancelled(struct tk_judge *j, uint32_t step);

#endif
