/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the adapter of dialect `ai-sdk` writes of a provider's result (DIALECTS.md section 3): a
 * table by the call's name. It leaves out any other output or throws an error, so the API would see
 * a call without a result.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_ADAPTER_FORMS_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_ADAPTER_FORMS_H

#include "history/history.h"

/* Returns true if the adapter writes that output as the result of the call. Outputs of a call that
 * the table doesn't list aren't looked at. */
bool tk_adapter_writes(const struct tk_transcript *t, const struct tk_part *call,
                       struct tk_val output);

#endif
