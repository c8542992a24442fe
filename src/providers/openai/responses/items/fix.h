/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of what an item is and which members it has: types of other APIs become items of this one
 * (items/fix_types.c), members get the values that the API takes (items/fix_item_members.c). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_ITEMS_FIX_H
#define TK_PROVIDERS_OPENAI_RESPONSES_ITEMS_FIX_H

#include "engine/plan.h"

struct tk_decision tk_want_item_type(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_members(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
struct tk_decision tk_want_without_members(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy);

int tk_fix_item_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_item_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_developer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_member_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_missing(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_item_members(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
