/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where client results go (RULES.md 6.3): behind the leading results of the message right behind
 * the call's turn, if that is a list in the role of results, else into a new message there. Texts
 * that stand for stray results go behind the results that stay.
 *
 * The front of each message is looked at once a round, so that any number of results costs linear
 * time.
 */
#ifndef TK_RULES_PAIRS_INSERT_POINT_H
#define TK_RULES_PAIRS_INSERT_POINT_H

#include "rules/plan.h"

/* Where the leading results of a message end. */
struct tk_leading_results {
    uint32_t last_result; /* of those that stay; TK_NONE: there is none */
    uint32_t last_text;   /* put in a result's place in this round, TK_NONE */
    uint32_t boundary;    /* the last of the input's results that stay in front, plus one */
    bool known;
};

/* A part's place. */
struct tk_insert_point {
    uint32_t message; /* TK_NONE: no memory */
    uint32_t after;   /* TK_NONE: at the front */
};

/* Where a result of this call goes. Makes the message where there is none for it. */
struct tk_insert_point tk_insert_point_after_call(struct tk_plan *p, uint32_t call);
/* The same for an assistant turn, whatever its calls. */
struct tk_insert_point tk_insert_point_after_turn(struct tk_plan *p, uint32_t turn);

/* Whether a result stands among the leading ones of its message already: what stood in front of it
 * is gone. */
bool tk_insert_point_is_leading(struct tk_plan *p, uint32_t result);

/* A result stands at the point now. */
void tk_insert_point_used(struct tk_plan *p, struct tk_insert_point point, uint32_t result);

/* Where the text of a stray result of a user message goes; *ret_in_place: where it stands. */
struct tk_insert_point tk_insert_point_for_text(struct tk_plan *p, uint32_t result,
                                                bool *ret_in_place);
/* The text stands there now. */
void tk_insert_point_text_put(struct tk_plan *p, uint32_t message, uint32_t text);

/* Forgets the leading of the round before. */
void tk_insert_points_reset(struct tk_plan *p);

#endif
