/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Gemini API's generateContent, also of Vertex AI and of servers that copy it (PROVIDERS.md 5 and 7). A
 * folder for each area of rules; shapes/gemini.h has the parts of an entry.
 */
#ifndef TK_PROVIDERS_GEMINI_PROVIDER_H
#define TK_PROVIDERS_GEMINI_PROVIDER_H

#include "engine/fix.h"
#include "providers/provider.h"

extern const struct tk_provider tk_provider_gemini;
extern const struct tk_check tk_gem_checks[];
extern const struct tk_rule_fix tk_gem_fixes[TK_CODE_COUNT];

#endif
