/* SPDX-License-Identifier: Apache-2.0 */
/* What a provider-executed pair must look like to be sent (rows 5 to 7 of RULES.md section 2). */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FORM_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_FORM_H

#include "providers/anthropic/provider_pairs/server_tools.h"
#include "rules/catalogue/rule.h"
#include "rules/judge.h"

/* Whether the policy lets this tool's calls be sent. */
bool tk_is_serializable(struct tk_judge *j, struct tk_str tool);

/* Whether a call could be sent: id, name, and an input of the right kind. */
bool tk_call_is_good(struct tk_judge *j, const struct tk_part *call);

/*
 * What is wrong with a call and its result: the call can't be sent, the result's content hasn't
 * the form of its type, or the type isn't the call's. call TK_NONE: a call of another document,
 * then only the result is looked at. Returns false when nothing is.
 */
bool tk_pair_fault(struct tk_judge *j, uint32_t call, uint32_t result, uint16_t *ret_code);

/* Finds that the call's tool is unknown; part of the pair (or TK_NONE: in flight) as well where
 * the policy makes it an error. Returns 0 or -ENOMEM. */
int tk_judge_unknown(struct tk_judge *j, uint32_t call, uint32_t result);

/* Finds callers that name no call of the turn or in flight (provider_pairs/callers.c). Returns 0 or
 * -ENOMEM. */
int tk_judge_callers(struct tk_judge *j, uint32_t turn);

/*
 * Reads a string as JSON with `scratch`, which then holds the document. Surrounding white space is
 * fine. Returns whether it is one.
 */
bool tk_is_json(const struct tk_transcript *t, struct tk_doc *scratch, struct tk_str text);

#endif
