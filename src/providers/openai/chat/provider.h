/* SPDX-License-Identifier: Apache-2.0 */
/* OpenAI's Chat Completions, also of Azure and of servers that copy the API. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PROVIDER_H
#define TK_PROVIDERS_OPENAI_CHAT_PROVIDER_H

#include "engine/fix.h"
#include "providers/provider.h"

extern const struct tk_provider tk_provider_openai_chat;

/* ---- for provider.c: the tables of checks.c and fixes.c ---- */

/* One check for each rule, in the order of the catalogue, which is the order of repair. */
extern const struct tk_check tk_chat_checks[];
extern const struct tk_rule_fix tk_chat_fixes[TK_CODE_COUNT];

#endif
