/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of calls and tool messages: ids, results that are missing, results that are lost. Rows of fixes.c
 * name these functions; engine/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PAIRS_FIX_H
#define TK_PROVIDERS_OPENAI_CHAT_PAIRS_FIX_H

#include "engine/fix.h"

/* Gives a call the id of its answer or a new one, or a tool message the id of its call. */
int tk_chat_fix_id_missing(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops an identical call that has no answer, gives any other call and its answer a new id; drops or
 * textifies a second answer. */
struct tk_decision tk_chat_want_no_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                             const struct tk_policy *policy);
int tk_chat_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Moves a result to the call that it claims, or textifies it. */
struct tk_decision tk_chat_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);
int tk_chat_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Inserts a result which says that the call was not executed, at the end of the run. */
struct tk_decision tk_chat_want_result(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_chat_fix_unanswered(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Give an id a new one that follows from it, at whichever end was blamed. */
int tk_chat_fix_long_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_id_pattern(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
