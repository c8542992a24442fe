/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judging: one walk of every area's rules over a transcript. It changes nothing but the findings;
 * repair judges, edits, and judges again.
 */
#ifndef TK_RULES_JUDGE_H
#define TK_RULES_JUDGE_H

#include "rules/finding.h"
#include "rules/policy.h"
#include "rules/provider.h"

struct tk_judge {
    struct tk_transcript *t;
    const struct tk_provider *provider;
    const struct tk_policy *policy;
    const struct tk_request_view *request; /* the rest of the request; never NULL */
    bool (*cancelled)(void *arg);          /* may be NULL; polled now and then */
    void *cancel_arg;
    /*
     * A lone turn (repair_turn) has no history behind it that would tell whether its open calls
     * are in flight: its stop reason does.
     */
    bool open_calls_stay;

    uint8_t has; /* what came with the messages, TK_HAS_* bits */

    struct tk_findings findings;
    struct tk_pairing pairing;
    struct tk_client_pairs clients;
    void *own; /* the provider's state */
};

/* Makes a judge by the provider's rules, of a history that came alone; the caller sets `request` if
 * it came in a body. Returns 0 or -ENOMEM. */
int tk_judge_init(struct tk_judge *j, struct tk_transcript *t, const struct tk_provider *provider,
                  const struct tk_policy *policy);

/* Takes over the time limit and what came with the request from the judge of another history of it.
 */
void tk_judge_inherit(struct tk_judge *j, const struct tk_judge *from);

/*
 * Judges the transcript as it is now. Returns 0, -ENOMEM, or -ECANCELED when the callback said so;
 * findings and pairing are of use only after 0, and until the transcript changes.
 */
int tk_judge(struct tk_judge *j);

/* tk_judge() in steps: what goes before all checks; then each. Both return what tk_judge() does. */
int tk_judge_begin(struct tk_judge *j);
int tk_judge_check(struct tk_judge *j, const struct tk_check *check);

/* Returns true if the request is out of time. */
bool tk_judge_is_late(const struct tk_judge *j);

/* Returns the same every few hundred calls, false for the others. */
bool tk_judge_cancelled(struct tk_judge *j, uint32_t step);

#endif
