/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of names and arguments. Rows of fixes.c name these functions; engine/fix.h says what `want`
 * and `act` are. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_CALLS_FIX_H
#define TK_PROVIDERS_OPENAI_CHAT_CALLS_FIX_H

#include "engine/fix.h"

/* Wants the call rewritten, unless its member `function` is of a type that can't be read. */
struct tk_decision tk_chat_want_call(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Drops a null in the place of a call. */
int tk_chat_fix_hole(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

int tk_chat_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_arguments_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_arguments_json(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
