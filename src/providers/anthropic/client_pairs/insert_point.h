/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds where to insert client results (RULES.md 6.3): after the leading results of the message
 * right after the call's turn. If that message can't hold results, a new one is made there. A text
 * that replaces a stray result goes after the results that stay.
 *
 * The leading results of each message are looked up once a round, so that any number of results
 * costs linear time.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_INSERT_POINT_H
#define TK_PROVIDERS_ANTHROPIC_CLIENT_PAIRS_INSERT_POINT_H

#include "engine/plan.h"

/* The results at the start of a message. */
struct tk_leading_results {
    uint32_t last_result; /* the last that stays; TK_NONE: none */
    uint32_t last_text;   /* the last text put in a result's place in this round; TK_NONE */
    uint32_t boundary; /* index of the last result of the input that stays among them, plus one */
    bool known;
};

/* A place for a part. */
struct tk_insert_point {
    uint32_t message; /* TK_NONE: out of memory */
    uint32_t after;   /* insert after this part; TK_NONE: as the first */
};

/* Returns where to insert the result of a call. Adds a message if there is none that can hold
 * it. */
struct tk_insert_point tk_insert_point_after_call(struct tk_plan *p, uint32_t call);
/* Returns where to insert a result for an assistant turn, whichever its calls are. Adds a message
 * if there is none that can hold it. */
struct tk_insert_point tk_insert_point_after_turn(struct tk_plan *p, uint32_t turn);

/* Returns true if only results remain before a result in its message, so that it can stay in
 * place. */
bool tk_insert_point_is_leading(struct tk_plan *p, uint32_t result);

/* Returns true if the result is at the point already. */
bool tk_insert_point_has(struct tk_plan *p, struct tk_insert_point point, uint32_t result);

/* Returns the last of the results at the start of a message that stay, to be changed by an edit that
 * adds others after it. NULL when out of memory. The next call of these functions invalidates it. */
uint32_t *tk_insert_point_last(struct tk_plan *p, uint32_t message);

/* Returns true if a fix of this round moves a result to another turn or removes it. */
bool tk_insert_point_leaves(struct tk_plan *p, uint32_t result);

/* Notes that a result was inserted at the point: the next one goes after it. */
void tk_insert_point_used(struct tk_plan *p, struct tk_insert_point point, uint32_t result);

/* Returns where to put the text that replaces a stray result of a user message. *ret_in_place: true
 * if it can take the result's own place. */
struct tk_insert_point tk_insert_point_for_text(struct tk_plan *p, uint32_t result,
                                                bool *ret_in_place);
/* Notes that the text was put there: the next one goes after it. */
void tk_insert_point_text_put(struct tk_plan *p, uint32_t message, uint32_t text);

/* Forgets what the round before looked up. */
void tk_insert_points_reset(struct tk_judge *j);

#endif
