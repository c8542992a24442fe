/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits blocks and members of features in beta that the header doesn't allow. That happens when a
 * history moves to a client that doesn't ask for the beta. Most edits are made only by the policy
 * `preserve`; others would rather have the caller add the beta. Rows of fixes.c name these
 * functions; engine/fix.h says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_BETAS_FIX_H
#define TK_PROVIDERS_ANTHROPIC_BETAS_FIX_H

#include "engine/fix.h"

/* Wants an advisor's call dropped and its result turned into text. */
struct tk_decision tk_want_no_advice(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Wants the block dropped. */
struct tk_decision tk_want_out(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);

/* Wants a fallback block dropped, unless it parts thinking: the blocks would become neighbours. */
struct tk_decision tk_want_no_fallback(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Wants the message dropped if it holds nothing but settings. */
struct tk_decision tk_want_no_output_config(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);

/* Wants the member `clear_at` removed. */
struct tk_decision tk_want_no_clear_at(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);

/* Removes the member `clear_at`. */
int tk_fix_clear_at(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a compaction block rewritten as a text of the user if no order of what was said changes, or
 * dropped if it has no summary. */
struct tk_decision tk_want_summary(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);

/* Makes that edit. */
int tk_fix_summary(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
