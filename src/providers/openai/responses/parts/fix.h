/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of the content parts of messages. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PARTS_FIX_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PARTS_FIX_H

#include "engine/plan.h"

struct tk_decision tk_want_part_type(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Gives a part the type of its role. The media of an assistant message move into one user message
 * directly after it. */
int tk_fix_part_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
