/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judging: one walk of every area's rules over a transcript. It changes nothing but the findings;
 * repair judges, edits, and judges again.
 */
#ifndef TK_RULES_JUDGE_H
#define TK_RULES_JUDGE_H

#include "rules/beta_values.h"
#include "rules/cache.h"
#include "rules/client_pairs.h"
#include "rules/finding.h"
#include "rules/pairing.h"
#include "rules/policy.h"
#include "rules/seals.h"

struct tk_judge {
    struct tk_transcript *t;
    const struct tk_policy *policy;
    bool (*cancelled)(void *arg); /* may be NULL; polled now and then */
    void *cancel_arg;
    /*
     * A lone turn (repair_turn) has no history behind it that would tell whether its open calls
     * are in flight: its stop reason does.
     */
    bool open_calls_stay;

    struct tk_map
        serializable; /* the names of policy->serializable_tools, once one was asked for */

    struct tk_seals seals; /* that came with the request */
    struct tk_known_betas betas;

    struct tk_findings findings;
    struct tk_pairing pairing;
    struct tk_client_pairs clients;
    uint32_t images; /* in messages and in the client's results */
    struct tk_cache cache;
    uint32_t newest_compaction; /* the last of those that the provider signed, TK_NONE */
};

void tk_judge_init(struct tk_judge *j, struct tk_transcript *t, const struct tk_policy *policy);

/*
 * Judges the transcript as it is now. Returns 0, -ENOMEM, or -ECANCELED when the callback said so;
 * findings and pairing are of use only after 0, and until the transcript changes.
 */
int tk_judge(struct tk_judge *j);

/* ---- areas ---- */

struct tk_area {
    const char *name; /* for figures: what each costs */
    int (*judge)(struct tk_judge *j);
    bool lone_turn; /* also where there is one turn and no history around it */
};

/* In the order in which they are judged: some look at what others found. */
extern const struct tk_area tk_areas[];
extern const size_t tk_area_count;

/* tk_judge() in steps: what goes before all areas; then each. Both return what tk_judge() does. */
int tk_judge_begin(struct tk_judge *j);
int tk_judge_area(struct tk_judge *j, const struct tk_area *area);

/* One file each. */
int tk_judge_pairs(struct tk_judge *j);
int tk_judge_client_pairs(struct tk_judge *j);
int tk_judge_ids(struct tk_judge *j);
int tk_judge_structure(struct tk_judge *j);
/* Whether a message sets options (`content: []` with `output_config`) and says nothing: it may be
 * anywhere. */
bool tk_is_directive(const struct tk_transcript *t, uint32_t message);
int tk_judge_emptiness(struct tk_judge *j);
int tk_judge_surrogates(struct tk_judge *j);
int tk_judge_text(struct tk_judge *j);
int tk_judge_seals(struct tk_judge *j);
int tk_judge_thinking(struct tk_judge *j);
int tk_judge_block_shape(struct tk_judge *j);
int tk_judge_tool_shape(struct tk_judge *j);
int tk_judge_media(struct tk_judge *j);
int tk_judge_cache(struct tk_judge *j);
int tk_judge_citations(struct tk_judge *j);
int tk_judge_compaction(struct tk_judge *j);
int tk_judge_betas(struct tk_judge *j);

/* Returns true if the request is out of time. */
bool tk_judge_is_late(const struct tk_judge *j);

/* Returns the same every few hundred calls, false for the others. */
bool tk_judge_cancelled(struct tk_judge *j, uint32_t step);

#endif
