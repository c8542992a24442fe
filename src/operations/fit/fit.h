/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fit: makes a history small enough for a budget (doc/FIT.md). It removes whole rounds and steps of rounds, and may clear old
 * results, reasoning and media before that.
 *
 *     prompt                        a ROUND: from a prompt of the user to the next prompt that doesn't directly follow one
 *     call(s), result(s)            a STEP: calls of the client, and the results after them
 *     call(s), result(s)            a step
 *     text
 *     prompt                        the next round
 *     ...
 *
 * A pair is never split: rounds over which a pair reaches go together, a step out of which one reaches stays.
 *
 * It plans first, by sizes alone. Then it edits the transcript, so that the outcome is judged and written like that of
 * a repair.
 */
#ifndef TK_OPERATIONS_FIT_FIT_H
#define TK_OPERATIONS_FIT_FIT_H

#include "engine/edit/edit.h"
#include "engine/judge.h"

/* Ways to make a history smaller, in the order in which they are used. */
enum tk_fit_measure {
    TK_FIT_RESULTS,
    TK_FIT_REASONING,
    TK_FIT_MEDIA,
    TK_FIT_ROUNDS,
    TK_FIT_LOOPS,
    TK_FIT_MEASURE_COUNT,
};

struct tk_fit_rules;

struct tk_fit_options {
    const struct tk_fit_rules *rules; /* how the provider's histories are made smaller */
    uint64_t over;                    /* nothing is done while the size is at most this */
    uint64_t to;                      /* at most `over`; `over - to` is the step of the cut */
    unsigned measures;                /* bits 1 << enum tk_fit_measure */
    bool tokens;                      /* the unit of all sizes; else bytes */
    uint32_t per_token;               /* bytes of a token */
    uint64_t overhead;                /* size of what isn't in the history */
    struct tk_val
        counts; /* tokens of the first entries, a list of integers; absent: none are known */
    uint64_t keep_first_rounds, keep_last_rounds, keep_last_steps, keep_results;
    bool keep_first_prompt;
    struct tk_val keep_tools; /* names; absent: none */
    struct tk_val pin;        /* indexes of entries; absent: none */
    struct tk_str placeholder, media_placeholder;
    struct tk_str marker; /* `.p == NULL`: none */
    bool least; /* if the budget can't be reached, make the history as small as possible */
};

struct tk_fit_entry;
struct tk_fit_round;
struct tk_fit_round_step;
struct tk_fit_edit;

/* A fitted history. Those who write it look at what comes before the arrays. */
struct tk_fitted {
    uint64_t size_before, size_after;
    bool changed, reached;
    uint32_t marker; /* the message that is, or has, the marker; TK_NONE */

    const struct tk_edits *edits; /* of the transcript */
    const struct tk_fit_options *options;
    struct tk_fit_entry *entries; /* by message of the input */
    struct tk_fit_round *rounds;
    struct tk_fit_round_step *steps;
    struct tk_fit_edit *list; /* of edits inside entries, in their order */
    uint32_t round_count, step_count, edit_count, edit_capacity;
};

enum {
    TK_FIT_UNREACHABLE =
        1, /* a condition: the measures leave more than `over`, and nothing was edited */
};

/*
 * Fits the transcript of a judge, which has judged nothing yet, in place. e: initialised, without edits. After it the judge
 * knows nothing of the outcome: that needs a new one. Returns 0, TK_FIT_UNREACHABLE, -ENOMEM or -ECANCELED. Linear in the
 * bytes and entries of the history.
 */
int tk_fit(const struct tk_fit_options *options, struct tk_judge *j, struct tk_edits *e,
           struct tk_fitted *ret);

/* ---- the outcome on the wire ---- */

/* Write the members `removed` and `edits`, and `marker` if there is one, into the open map. */
void tk_fit_write_facts(struct tk_writer *w, const struct tk_fitted *f);

/* Writes the operations of the patch into the open list: edits, then removals from the last entry to the first, then a marker
 * that is a message. Returns 0 or -ENOMEM. */
int tk_fit_write_operations(struct tk_writer *w, const struct tk_fitted *f);

/* Writes what was replaced or removed, as it was sent, into the open list. stage: a member of each entry; NULL: none. */
void tk_fit_write_quarantine(struct tk_writer *w, const struct tk_fitted *f, const char *stage);

#endif
