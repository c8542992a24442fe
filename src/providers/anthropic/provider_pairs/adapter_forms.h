/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Outputs that the adapter of dialect `ai-sdk` writes as a provider's result (DIALECTS.md section
 * 3): a table by the call's name. The adapter leaves out any other output or throws an error, so
 * the API would see a call without a result.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_ADAPTER_FORMS_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_ADAPTER_FORMS_H

#include "history/history.h"

/* Returns true if the adapter writes that output as the result of the call. Any output will do for
 * a call that the table doesn't list. */
bool tk_adapter_writes(const struct tk_transcript *t, const struct tk_part *call,
                       struct tk_val output);

#endif
