/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Responses API and those who copy it: the row of the provider and its tables. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PROVIDER_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PROVIDER_H

#include "engine/fix.h"
#include "providers/provider.h"

extern const struct tk_provider tk_provider_openai_responses;

/* In the order of the catalogue, one rule each: checks.c. */
extern const struct tk_check tk_responses_checks[];
/* By code: fixes.c. */
extern const struct tk_rule_fix tk_responses_fixes[];
/* Ended by `.is_cause == NULL`: azure_advice.c. */
extern const struct tk_cause tk_responses_causes[];

#endif
