/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the ids by which the server stores items (PROVIDERS.md 4.3, 4.4). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_IDS_FIX_H
#define TK_PROVIDERS_OPENAI_RESPONSES_IDS_FIX_H

#include "engine/repair.h"

struct tk_decision tk_want_resent(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_persisted(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_own_ciphertext(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy);
struct tk_decision tk_want_item_id_once(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
struct tk_decision tk_want_prefix(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_short_item_id(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
struct tk_decision tk_want_reasoning_alone(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy);

/* Drops the item, deletes its id, with those of its unit if it is reasoning, or makes a text of it,
 * as the decision says. */
int tk_fix_item_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_ciphertext(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_long_item_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_lone_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* A step: deletes the ids that the policy key `item_ids` asks for, after all fixes. */
bool tk_strips_item_ids(const struct tk_repair *r);
int tk_strip_item_ids(struct tk_repair *r, const struct tk_step *step);

#endif
