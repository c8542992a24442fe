/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of what a provider-executed pair contains (rows 5 to 7 of RULES.md section 2): can the
 * call be sent, and does the result have the form that its tool returns? */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FORM_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FORM_H

#include "catalogue/rule.h"
#include "engine/judge.h"
#include "providers/anthropic/provider_pairs/server_tools.h"

/* Returns true if the policy lets this tool's calls be sent: its list of tools is absent or names
 * this one. */
bool tk_is_serializable(struct tk_judge *j, struct tk_str tool);

/* Returns true if a call can be sent: it has an id, a name, and an input of the right kind. */
bool tk_call_is_good(struct tk_judge *j, const struct tk_part *call);

/*
 * Judges a call and its result. The call may be one that can't be sent, the result's content may
 * not have the form of its type, or its type may not be the call's. call TK_NONE: the call is in
 * another document, and only the result is judged. Returns true and the fault's code if there is a
 * fault.
 */
bool tk_pair_fault(struct tk_judge *j, uint32_t call, uint32_t result, uint16_t *ret_code);

/* Finds that the call's tool is unknown. Where the policy makes that an error, the result is blamed
 * too (result TK_NONE: the call is in flight). Returns 0 or -ENOMEM. */
int tk_judge_unknown(struct tk_judge *j, uint32_t call, uint32_t result);

/* Returns true if a call names code as its caller: the model didn't make it. */
bool tk_is_made_by_code(const struct tk_part *call);

/* Finds callers that name no call of the turn or in flight (provider_pairs/callers.c). Returns 0 or
 * -ENOMEM. */
int tk_judge_callers(struct tk_judge *j, uint32_t turn);

/* Returns true if the string is JSON; white space around it is fine. `scratch` holds the document
 * then. */
bool tk_is_json(const struct tk_transcript *t, struct tk_doc *scratch, struct tk_str text);

#endif
